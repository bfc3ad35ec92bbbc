import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableOfBars } from './bar-table.ts';
import { readBar } from './bar-read-out.tsx';
import { OTHER } from './series.ts';
import { sparkPath } from './sparkline.tsx';
import { type Bar, axisLabels, loneBar, segmentsOf, spread, totalOf, whenOf } from './stack.ts';
import { scalesOf } from './use-scales.ts';

const SERIES = ['gpt-5', 'claude', OTHER].map((id) => ({ id, label: id }));
const BAR: Bar = { id: '2026-11-20', label: '20 Nov', values: { 'gpt-5': '3000', claude: 200n }, unfinished: true };
const GAP: Bar = { id: '2026-11-19', label: '19 Nov', values: null };
const plain = (value: bigint): string => value.toString();

test('segments stand on each other without a gap and reach the total', () => {
  const values = fc.record({
    'gpt-5': fc.bigInt(0n, 10n ** 12n),
    claude: fc.bigInt(0n, 10n ** 12n),
    other: fc.bigInt(0n, 10n ** 12n),
  });
  fc.assert(
    fc.property(values, (each) => {
      const bar: Bar = { id: 'a', label: 'a', values: each };
      const segments = segmentsOf(bar, SERIES);
      expect(segments.map(({ from }) => from)).toEqual([0, ...segments.map(({ to }) => to)].slice(0, segments.length));
      expect(BigInt(segments.at(-1)?.to ?? 0)).toBe(totalOf(bar, SERIES));
    }),
  );
});

test('a bar of which nothing is known is a gap rather than zero', () => {
  expect(totalOf(GAP, SERIES)).toBeNull();
  expect(segmentsOf(GAP, SERIES)).toEqual([]);
  expect(readBar(GAP, SERIES, plain, null)).toBe('19 Nov: not known.');
});

test('a bar is read out with its total, its parts from the largest on, and the period before', () => {
  expect(readBar(BAR, SERIES, plain, '2900')).toBe(
    '20 Nov, so far: 3200. gpt-5 3000, claude 200. Previous period: 2900.',
  );
});

test('the table of a chart has each number of it, exact', () => {
  expect(tableOfBars('Day', [GAP, BAR], SERIES, plain, ['7', null])).toEqual({
    headers: ['Day', 'gpt-5', 'claude', 'other', 'Total', 'Previous period'],
    rows: [
      { id: '2026-11-19', cells: ['19 Nov', 'not known', 'not known', 'not known', 'not known', '7'] },
      { id: '2026-11-20', cells: ['20 Nov, so far', '3000', '200', '0', '3200', 'not known'] },
    ],
  });
});

test('the axis of a chart without any value names its zero alone, at the baseline', () => {
  const plot = { left: 0, right: 100, top: 10, bottom: 110 };
  const scales = scalesOf([{ ...BAR, values: { 'gpt-5': '0' } }], SERIES, undefined, plot);
  expect([scales.ticks, scales.y(0)]).toEqual([[0], 110]);
});

test.each([
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [11, [0, 2, 4, 6, 8, 10, 12]],
  [99, [0, 20, 40, 60, 80, 100]],
  [13_000_000, [0, 5_000_000, 10_000_000, 15_000_000]],
])(
  'the axis of a chart whose largest bar is %d has ticks at round numbers, the last of which is its end',
  (value, ticks) => {
    const plot = { left: 0, right: 100, top: 10, bottom: 110 };
    const scales = scalesOf([{ ...BAR, values: { 'gpt-5': String(value) } }], SERIES, undefined, plot);
    expect(scales.ticks).toEqual(ticks);
    expect(scales.y(ticks.at(-1) ?? 0)).toBe(10);
  },
);

test('the bars of a chart are evenly spaced, within its plot, and at most 48 pixels wide', () => {
  for (const [count, width] of [
    [1, 40],
    [4, 410],
    [90, 700],
  ] as const) {
    const bars = Array.from({ length: count }, (_, index) => ({ ...BAR, id: String(index) }));
    const { left, center, step, barWidth } = scalesOf(bars, SERIES, undefined, {
      left: 30,
      right: 30 + width,
      top: 0,
      bottom: 9,
    });
    expect(barWidth).toBeCloseTo(Math.min(48, step * 0.75));
    bars.slice(1).forEach(({ id }, index) => expect(center(id) - center(String(index))).toBeCloseTo(step));
    expect(left('0') - 30).toBeGreaterThanOrEqual(0);
    expect(30 + width - (left(String(count - 1)) + barWidth)).toBeCloseTo(left('0') - 30);
  }
});

test('the axis of a chart begins at zero and ends above its largest bar and the period before', () => {
  const plot = { left: 0, right: 100, top: 10, bottom: 110 };
  const scales = scalesOf([BAR], SERIES, [5000n], plot);
  expect(scales.y(0)).toBe(110);
  expect(scales.y(5000)).toBeGreaterThanOrEqual(10);
  expect(scales.ticks[0]).toBe(0);
});

test('labels that would overlap are moved apart, and as far up as the end demands', () => {
  const places = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 10 });
  fc.assert(
    fc.property(places, (wanted) => {
      const moved = spread(
        wanted.toSorted((a, b) => a - b),
        16,
        200,
      );
      expect(moved.every((place, index) => index === 0 || place - (moved[index - 1] ?? 0) >= 16)).toBe(true);
      expect(moved.at(-1) ?? 0).toBeLessThanOrEqual(200);
    }),
  );
  expect(spread([10, 100], 16, 200)).toEqual([10, 100]);
});

test('bars have their names where there is room, the last one always', () => {
  const days = Array.from({ length: 30 }, (_, index) => ({ label: `${index + 1} Nov` }));
  const written = axisLabels(days, 600, 52);
  expect(written.filter((label) => label !== undefined)).toEqual(
    days.filter((_, index) => index % 3 === 2).map(({ label }) => label),
  );
  expect(axisLabels(days.slice(0, 3), 600, 52)[0]).toBe('1 Nov');
});

const hoursFrom = (firstHour: number, count: number): readonly { readonly label: string }[] =>
  Array.from({ length: count }, (_, index) => {
    const hour = firstHour + index;
    return { label: `${21 + Math.floor(hour / 24)} Nov, ${String(hour % 24).padStart(2, '0')}:00` };
  });

test('ticks of hours are full hours that divide a day evenly, and a midnight is named by its day', () => {
  const labelled = (hours: readonly { readonly label: string }[], width: number) =>
    axisLabels(hours, width, 56).flatMap((label, index) => (label === undefined ? [] : [[index, label]]));
  expect(labelled(hoursFrom(22, 4), 600)).toEqual([
    [0, '22:00'],
    [1, '23:00'],
    [2, '22 Nov'],
    [3, '01:00'],
  ]);
  // A day has room for four ticks here, and for one there.
  expect(labelled(hoursFrom(15, 24), 260)).toEqual([
    [3, '18:00'],
    [9, '22 Nov'],
    [15, '06:00'],
    [21, '12:00'],
  ]);
  expect(labelled(hoursFrom(15, 72), 230).map(([, label]) => label)).toEqual(['22 Nov', '23 Nov', '24 Nov']);
  // Without a midnight, the first tick names its day.
  expect(labelled(hoursFrom(13, 5), 260)).toEqual([
    [1, '21 Nov, 14:00'],
    [3, '16:00'],
  ]);
  expect(labelled(hoursFrom(14, 1), 600)).toEqual([[0, '21 Nov, 14:00']]);
});

test('of a chart with one bar among many it is said which one it is, and not of others', () => {
  const bars = (count: number, used: readonly number[]): readonly Bar[] =>
    Array.from({ length: count }, (_, index) => ({
      id: String(index),
      label: `${index + 1} Nov`,
      values: used.includes(index) ? { claude: 5n } : {},
    }));
  expect(loneBar(bars(30, [3]), SERIES)?.label).toBe('4 Nov');
  expect(loneBar(bars(30, [3, 4]), SERIES)).toBeNull();
  expect(loneBar(bars(30, []), SERIES)).toBeNull();
  expect(loneBar(bars(6, [3]), SERIES)).toBeNull();
  expect([whenOf('4 Nov'), whenOf('4 Nov, 13:00')]).toEqual(['on 4 Nov', 'at 13:00 on 4 Nov']);
});

test('a spark line breaks at a gap, shows a lone value, and stands on zero', () => {
  expect(sparkPath([0, 10, null, 5, null], 80, 21.25)).toBe('M0.0 20.6L20.0 0.6M60.0 10.6h0');
});
