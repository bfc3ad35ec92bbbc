import { setTimeout as sleep } from 'node:timers/promises';
import { checkOut } from './former-checkout.ts';
import { type Instance, startInstance } from './instance.ts';
import type { LoadPlan, LoadTotals, LoadWindow } from './load/load-plan.ts';
import { refuseFailures } from './measure.ts';
import { cpuUs, userCpuUs } from './process-cost.ts';
import { quartiles } from './quartiles.ts';
import { shapeNamed } from './shapes.ts';
import { startLoad, startMock } from './stage.ts';
import { openTenant } from './tenants.ts';
import { endWithUsage, toolArguments } from '../tools/tool-arguments.ts';

// npm run bench:versions -- COMMIT [--load small] [--connections 32] [--windows 40] [--seconds 1]: loads this tree's program and
// that of another commit in turn, in short windows, and prints what this one takes as a multiple of the other: the only
// figure that a machine with other work on it leaves alone.

const DRAIN_MS = 20_000;
const LOAD_MS_MAX = 600_000;
const SETTLE_SECONDS = 0.3;

const USAGE =
  'usage: npm run bench:versions -- COMMIT [--load NAME] [--connections N] [--windows N] [--seconds N] [--requests-first N]';

const { values, positionals } = toolArguments(USAGE, {
  allowPositionals: true,
  options: {
    load: { type: 'string', default: 'small' },
    connections: { type: 'string', default: '32' },
    windows: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '1' },
    'requests-first': { type: 'string', default: '100000' },
  },
});
const [commit] = positionals;
if (commit === undefined) endWithUsage(USAGE, 'Name the commit to compare with.');
const shape = shapeNamed(values.load);
const connections = Number(values.connections);

interface Version {
  readonly instance: Instance;
  readonly key: string;
  answered: number;
}

/** What is compared. */
const NAMES = [
  'gateway, µs/request',
  'gateway outside of the kernel, µs/request',
  'PostgreSQL, µs/request',
  'requests/s',
] as const;

type Cost = Readonly<Record<(typeof NAMES)[number], number>>;

const closing = new AsyncDisposableStack();
try {
  const mock = await startMock(closing);
  const load = startLoad(closing);
  const former = await checkOut(commit);
  if ('missing' in former) throw new Error(former.missing);
  closing.defer(() => former.remove());
  const begin = async (
    start: (port: number) => Promise<Instance>,
    openKey: (instance: Instance) => Promise<string>,
  ) => {
    const instance = await start(mock.port);
    closing.defer(() => instance.stop());
    return { instance, key: await openKey(instance), answered: 0 };
  };
  const here = await begin(startInstance, async ({ database }) => (await openTenant(database)).key.key);
  const there = await begin(
    (port) => former.start(port),
    (instance) => former.openKey(instance),
  );

  const planOf = ({ instance, key }: Version, requestsMax: number | null): LoadPlan => ({
    ports: [instance.port],
    path: `/v1/${shape.endpoint}`,
    body: shape.body,
    keys: [key],
    keyOrder: 'sequence',
    connections,
    perSecond: null,
    rampMs: 0,
    requestsMax,
  });
  const count = (version: Version, totals: LoadTotals): void => {
    refuseFailures(version === here ? 'this tree' : commit, totals);
    version.answered += totals.ok;
  };
  const measure = async (version: Version): Promise<Cost> => {
    const { gateway, postgres } = version.instance;
    const used = () => ({ all: cpuUs(gateway), user: userCpuUs(gateway), postgres: cpuUs(postgres) });
    await load.call('start', planOf(version, null));
    await sleep(SETTLE_SECONDS * 1_000);
    await load.call('mark');
    const before = used();
    await sleep(Number(values.seconds) * 1_000);
    const after = used();
    const { requests, seconds } = await load.call<LoadWindow>('window');
    count(version, await load.call<LoadTotals>('stop', DRAIN_MS));
    return {
      'gateway, µs/request': (after.all - before.all) / requests,
      'gateway outside of the kernel, µs/request': (after.user - before.user) / requests,
      'PostgreSQL, µs/request': (after.postgres - before.postgres) / requests,
      'requests/s': requests / seconds,
    };
  };

  for (const version of [here, there]) {
    await load.call('start', planOf(version, Number(values['requests-first'])));
    count(version, await load.call<LoadTotals>('finish', LOAD_MS_MAX));
  }
  const costs: { readonly here: Cost; readonly there: Cost }[] = [];
  for (let pair = 0; pair < Number(values.windows); pair += 1) {
    // Each comes first as often as the other.
    const first = await measure(pair % 2 === 0 ? here : there);
    const second = await measure(pair % 2 === 0 ? there : here);
    costs.push(pair % 2 === 0 ? { here: first, there: second } : { here: second, there: first });
  }
  for (const version of [here, there]) await version.instance.verify(version.answered);
  process.stdout.write(
    `this tree × ${commit}, ${values.load}, ${connections} connections, ${costs.length} pairs of windows: this tree's median, ` +
      'the ratio within pairs (quartiles), the ratio of the best quarters\n',
  );
  const shown = (value: number): string => String(Number(value.toPrecision(3))).padStart(7);
  for (const name of NAMES) {
    const own = quartiles(costs.map((each) => each.here[name]));
    const other = quartiles(costs.map((each) => each.there[name]));
    const [low, median, high] = quartiles(costs.map((each) => each.here[name] / each.there[name])).map(shown);
    // Other work on the machine only adds to what a request takes.
    const best = name === 'requests/s' ? 2 : 0;
    const ofBest = shown((own[best] ?? 0) / (other[best] ?? 0));
    process.stdout.write(`  ${name.padEnd(36)} ${shown(own[1] ?? 0)}  ${median} (${low} … ${high})  ${ofBest}\n`);
  }
} finally {
  await closing.disposeAsync();
}
