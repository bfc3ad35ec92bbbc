import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { roll } from '../test/upgrade/roll.ts';
import { proofText } from '../test/upgrade/roll-proof.ts';
import { installedOnce, ROOT, run } from './installed-once.ts';
import { endWithUsage, toolArguments } from './tool-arguments.ts';

// Rolls two instances from the last release to this tree and back, under load: npm run upgrade -- --dwell 3

const LIST = 'test/upgrade/last-release.json';

const USAGE = 'usage: upgrade.ts [--dwell SECONDS]';

const { values } = toolArguments(USAGE, { options: { dwell: { type: 'string', default: '3' } } });
const dwellMs = Number(values.dwell) * 1_000;
if (!(dwellMs > 0)) endWithUsage(USAGE, '--dwell must be a number of seconds above 0.');

const { version, commit } = JSON.parse(readFileSync(join(ROOT, LIST), 'utf8')) as {
  readonly version: string;
  readonly commit: string;
};
const former = installedOnce('last-release', LIST, (empty) => {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status !== 0) {
    rmSync(empty, { recursive: true });
    throw new Error(`release ${version} is commit ${commit}, which is not in this repository: fetch its history`);
  }
  const archive = `${empty}.tar`;
  run('git', ['archive', '--output', archive, commit]);
  run('tar', ['-xf', archive, '-C', empty], ROOT);
  rmSync(archive);
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], empty);
});

const proof = await roll({ former, formerVersion: version, dwellMs, say: (line) => console.log(line) });
process.stdout.write(`\n${proofText(proof)}`);
process.exitCode = proof.faults.length === 0 ? 0 : 1;
