import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Packs the newest commit in two clean clones, the second in a longer path, with another time zone and language. Both have
// the same umask, because npm packs files with the modes that they have.
// Both tarballs must be the same bytes. It takes two installations, and what those of a checkout take.

const ROOT = join(import.meta.dirname, '..');
const SURROUNDINGS = [
  { clone: 'one', env: { TZ: 'UTC', LC_ALL: 'C' } },
  { clone: 'another/of/them', env: { TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8' } },
];

const directory = mkdtempSync(join(tmpdir(), 'faregate-reproducible-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

function run(program: string, parameters: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync(program, parameters, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`"${program} ${parameters.join(' ')}" failed`);
}

function pack({ clone, env }: (typeof SURROUNDINGS)[number]): {
  readonly name: string;
  readonly digest: string;
} {
  const checkout = join(directory, clone);
  const packed = join(directory, `${clone.replaceAll('/', '-')}-packed`);
  mkdirSync(packed);
  const former = process.umask(0o022);
  run('git', ['clone', '--quiet', ROOT, checkout], directory);
  run('npm', ['ci', '--no-audit', '--no-fund'], checkout, env);
  run('npm', ['pack', '--silent', '--pack-destination', packed], checkout, env);
  process.umask(former);
  const [name = ''] = readdirSync(packed);
  const digest = createHash('sha256')
    .update(readFileSync(join(packed, name)))
    .digest('hex');
  rmSync(checkout, { recursive: true });
  return { name, digest };
}

const [first, second] = SURROUNDINGS.map(pack);
console.log(`${first?.digest}  ${first?.name}`);
if (first === undefined || first.digest !== second?.digest) throw new Error(`the second build has ${second?.digest}`);
console.log('Two clean builds are the same bytes.');
