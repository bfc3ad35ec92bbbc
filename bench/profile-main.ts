import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionCost, functionCosts, readCpuProfile, type Stretch } from './cpu-profile.ts';
import { flameGraph } from './flame-graph.ts';
import { measure } from './measure.ts';
import { shapeNamed } from './shapes.ts';
import { startStage } from './stage.ts';
import { toolArguments } from '../tools/tool-arguments.ts';

// npm run bench:profile -- [--load small] [--connections 32] [--seconds 10]: profiles the gateway under load, prints the
// highest functions, and leaves the profile (for the browser's developer tools) and a flame graph in data/.

const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'data');
const INTERVAL_US = 250;
const FUNCTIONS = 15;

const USAGE = 'usage: npm run bench:profile -- [--load NAME] [--connections N] [--seconds N]';

const { values } = toolArguments(USAGE, {
  options: {
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '10' },
    load: { type: 'string', default: 'small' },
  },
});

const shape = shapeNamed(values.load);

/** The machine's monotonic clock, which profiles are stamped with. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Loads an instance that records its own profile, and answers with that and when the load was measured. */
async function record(folder: string): Promise<{ json: string; stretch: Stretch }> {
  const options = `--cpu-prof --cpu-prof-interval=${INTERVAL_US} --cpu-prof-dir=${folder}`;
  let stretch: Stretch;
  const stage = await startStage({ env: { NODE_OPTIONS: options } });
  try {
    const load = { ...shape, connections: Number(values.connections) };
    await measure(stage, 'faregate', load, { warmUp: 2, requestsFirst: 20_000, window: 0 });
    const fromUs = nowUs();
    await measure(stage, 'faregate', load, { warmUp: 0, requestsFirst: 0, window: Number(values.seconds) });
    stretch = { fromUs, toUs: nowUs() };
  } finally {
    await stage.stop();
  }
  const files = await readdir(folder);
  const own = files.find((name) => name.split('.').includes(String(stage.instance.program.pid)));
  if (own === undefined) throw new Error('the gateway has left no profile');
  return { json: await readFile(join(folder, own), 'utf8'), stretch };
}

function table(costs: readonly FunctionCost[], allUs: number): string {
  return costs
    .slice(0, FUNCTIONS)
    .map(({ name, place, selfUs }) => `  ${((selfUs / allUs) * 100).toFixed(1).padStart(5)} %  ${name}  ${place}\n`)
    .join('');
}

const folder = await mkdtemp(join(tmpdir(), 'faregate-profile-'));
try {
  const { json, stretch } = await record(folder);
  const tree = readCpuProfile(json, ROOT, stretch);
  const costs = functionCosts(tree);
  const allUs = costs.reduce((sum, { selfUs }) => sum + selfUs, 0);
  const ours = costs.filter(({ isOurs }) => isOurs);
  const places = new Map<string, FunctionCost>();
  for (const { place, isOurs, selfUs } of costs) {
    const name = isOurs ? place.split('/', 2).join('/') : place;
    places.set(name, { name, place: '', isOurs, selfUs: (places.get(name)?.selfUs ?? 0) + selfUs });
  }
  await mkdir(OUT, { recursive: true });
  await writeFile(join(OUT, 'gateway.cpuprofile'), json);
  await writeFile(join(OUT, 'gateway.svg'), flameGraph(tree));
  const byPlace = [...places.values()].toSorted((a, b) => b.selfUs - a.selfUs);
  process.stdout.write(`By place, of all time at work:\n${table(byPlace, allUs)}`);
  process.stdout.write(`\nHighest functions:\n${table(costs, allUs)}`);
  process.stdout.write(`\nHighest functions of our own:\n${table(ours, allUs)}`);
  process.stdout.write('\ndata/gateway.cpuprofile and data/gateway.svg hold all of it.\n');
} finally {
  await rm(folder, { recursive: true, force: true });
}
