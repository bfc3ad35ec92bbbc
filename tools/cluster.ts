import { FAILURE_NAMES, tryFailures } from '../test/cluster/failures.ts';
import { stepText } from '../test/cluster/trial.ts';
import { proofText } from '../test/upgrade/roll-proof.ts';
import { installedOnce, run } from './installed-once.ts';
import { endWithUsage, toolArguments } from './tool-arguments.ts';

// Lets everything fail once that can in a system of seven machines: npm run cluster, or npm run cluster -- primary cable

const REQUIREMENTS = 'test/cluster/requirements.txt';

const USAGE = `usage: cluster.ts [--dwell SECONDS] [${FAILURE_NAMES.join('|')} ...]`;

const { values, positionals } = toolArguments(USAGE, {
  options: { dwell: { type: 'string', default: '4' } },
  allowPositionals: true,
});
const dwellMs = Number(values.dwell) * 1_000;
const names = positionals.length === 0 ? FAILURE_NAMES : positionals;
const unknown = names.filter((name) => !FAILURE_NAMES.includes(name));
if (!(dwellMs > 0)) endWithUsage(USAGE, '--dwell must be a number of seconds above 0.');
if (unknown.length > 0) endWithUsage(USAGE, `There is no failure ${unknown.join(', ')}.`);
for (const [program, option] of [
  ['ip', '-V'],
  ['haproxy', '-v'],
  ['etcd', '--version'],
] as const) {
  run(program, [option]);
}

const patroni = installedOnce('packages-of-patroni', REQUIREMENTS, (directory) => {
  const quietly = ['--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore'];
  run('python3', ['-m', 'pip', 'install', ...quietly, '--target', directory, '--requirement', REQUIREMENTS]);
});
const proof = await tryFailures(names, { dwellMs, patroni, say: (line) => console.log(line) });
process.stdout.write(`\n${proof.steps.map((step) => `${stepText(step)}\n`).join('')}\n${proofText(proof)}`);
process.exitCode = proof.faults.length === 0 ? 0 : 1;
