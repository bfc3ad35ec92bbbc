import { Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { DurationHistogram, Sums } from './series.ts';

const SECONDS = [0, 0.005, 0.0051, 0.1, 0.2, 7, 7.5, 1e9, 0.1 + 0.2];
const [NAME, HELP] = ['durations_seconds', 'How long it takes.'];
const BUCKETS = [0.005, 0.1, 7];

/** Both forms in which metrics leave the program. */
async function shown(registry: Registry): Promise<readonly [string, string]> {
  return [await registry.metrics(), JSON.stringify(await registry.getMetricsAsJSON())];
}

/** Values with their names and labels; nobody here has exemplars. */
async function valuesIn(registry: Registry): Promise<unknown> {
  const metrics = await registry.getMetricsAsJSON();
  return structuredClone(metrics).map(({ values, ...metric }) => [
    metric.name,
    values.map((value) => ({ ...value, exemplar: null })),
  ]);
}

test.each([[[]], [['streamed']]])(
  'durations that are kept as numbers are shown as the library shows its own, with labels %j',
  async (labelNames: string[]) => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const options = { name: NAME, help: HELP, labelNames, buckets: BUCKETS };
    const histogram = new DurationHistogram({ ...options, registers: [ours] });
    const library = new Histogram({ ...options, registers: [theirs] });
    const values = labelNames.map(() => 'true');
    const series = histogram.series(...values);
    // One that is never observed.
    if (labelNames.length > 0) histogram.series('false');
    expect((await shown(ours))[0]).toBe((await shown(theirs))[0]);
    for (const seconds of SECONDS) {
      series.observe(seconds);
      library.labels(...values).observe(seconds);
    }
    expect((await shown(ours))[0]).toBe((await shown(theirs))[0]);
    expect(await valuesIn(ours)).toEqual(await valuesIn(theirs));
  },
);

test('what is added to a counter between two looks is shown once', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const options = { name: 'things_total', help: HELP, labelNames: ['kind'] };
  const sums = new Sums({ ...options, registers: [ours] });
  const library = new Counter({ ...options, registers: [theirs] });
  const [one, unused, shownFirst] = [sums.series(['a']), sums.series(['b']), sums.series(['c'], true)];
  library.inc({ kind: 'c' }, 0);
  expect(await shown(ours)).toEqual(await shown(theirs));
  for (const by of [1, 0.25, 3]) {
    one.inc(by);
    library.inc({ kind: 'a' }, by);
  }
  shownFirst.inc();
  library.inc({ kind: 'c' });
  expect(await shown(ours)).toEqual(await shown(theirs));
  expect(await shown(ours)).toEqual(await shown(theirs));
  expect(unused.take()).toBe(0);
});
