import { fillSmallHeap } from '../test/soak/small-heap.ts';
import { soak } from '../test/soak/soak.ts';
import { endWithUsage, toolArguments } from './tool-arguments.ts';

// Serves for a long time, and looks for what grows: npm run soak -- --minutes 30

const USAGE = 'usage: soak.ts [--minutes N]';

const { values } = toolArguments(USAGE, { options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) endWithUsage(USAGE, '--minutes must be above 0.');

const soaked = await soak(minutes * 60_000, (line) => console.log(line));
const filled = await fillSmallHeap();
const faults = [...soaked.faults, ...filled.faults];
const shown = faults.slice(0, 30).map((fault) => `  ${fault}`);
console.log(['', ...soaked.lines, ...filled.lines, `${faults.length} faults`, ...shown].join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
