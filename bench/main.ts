import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchSettings } from './profile.ts';
import { PROFILES, profilesNamed } from './profiles/profiles.ts';
import { asText, type ProfileReport, report, summarise } from './report.ts';
import { nginxVersion } from './yardstick.ts';

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

function readCommand(): Command | null {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      scale: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      save: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.some((name) => profilesNamed(name).length === 0)) return null;
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

const command = readCommand();
if (command === null) {
  process.stdout.write(HELP);
  process.exitCode = 1;
} else {
  const { names, json, save, settings } = command;
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
}
