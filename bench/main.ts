import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchSettings } from './profile.ts';
import { PROFILES, profilesNamed } from './profiles/profiles.ts';
import { asText, type ProfileReport, report, summarise } from './report.ts';
import { nginxVersion } from './yardstick.ts';
import { endWithUsage, toolArguments } from '../tools/tool-arguments.ts';

// npm run bench -- [profile …] [--rounds 3] [--seconds 3] [--json] [--save name]

const RESULTS = join(import.meta.dirname, 'results');

const HELP = `npm run bench -- [profile …] [options]

  --rounds <n>    how often each profile runs; 3 unless given
  --seconds <n>   how long each load is measured; 3 unless given
  --scale <x>     a share of the keys and streams, for a quick look; 1 unless given
  --json          print JSON
  --save <name>   keep both forms as bench/results/<name>.json and .txt

Profiles (all, if none is named):
${PROFILES.map(({ name, about }) => `  ${name.padEnd(14)}${about}\n`).join('')}`;

interface Command {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly save: string | null;
  readonly settings: BenchSettings;
}

function readCommand(): Command {
  const { values, positionals } = toolArguments(HELP, {
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      scale: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      save: { type: 'string' },
    },
  });
  const unknown = positionals.filter((name) => profilesNamed(name).length === 0);
  if (unknown.length > 0) endWithUsage(HELP, `There is no profile ${unknown.join(', ')}.`);
  return {
    names: positionals,
    json: values.json,
    save: values.save ?? null,
    settings: {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      scale: Number(values.scale),
      progress: (line) => void process.stderr.write(`${line}\n`),
    },
  };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A fault ends this process the ordinary way, which ends those that it has started.
  process.once(signal, () => {
    throw new Error(`ended by ${signal}`);
  });
}

const { names, json, save, settings } = readCommand();
const chosen = names.length === 0 ? PROFILES : names.flatMap((name) => profilesNamed(name));
const reports: ProfileReport[] = [];
for (const profile of chosen) {
  const rounds = await profile.run(settings);
  reports.push({
    profile: profile.name,
    about: profile.about,
    rounds: settings.rounds,
    measures: summarise(rounds),
  });
}
const whole = report(await nginxVersion(), reports);
const asJson = `${JSON.stringify(whole, null, 2)}\n`;
if (save !== null) {
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, `${save}.json`), asJson);
  await writeFile(join(RESULTS, `${save}.txt`), asText(whole));
}
process.stdout.write(json ? asJson : asText(whole));
