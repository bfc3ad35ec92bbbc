import { Children, isValidElement, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { type DayRange, DayRangeInput, daysOf } from './time-choice.tsx';

type DayInput = ReactElement<{ readonly 'aria-label'?: string; readonly onChange: (day: string) => void }>;

/** The time that is chosen when one of the two days of 3 to 5 November is changed. */
function rangeAfter(label: string, day: string): DayRange | null {
  let range: DayRange | null = null;
  const shown = { fromMs: Date.UTC(2026, 10, 3), toMs: Date.UTC(2026, 10, 6) };
  const field = DayRangeInput({ shown, onChange: (chosen) => (range = chosen) }) as ReactElement<{
    readonly children: readonly DayInput[];
  }>;
  const inputs = Children.toArray(field.props.children).filter((child): child is DayInput => isValidElement(child));
  inputs.find(({ props }) => props['aria-label'] === label)?.props.onChange(day);
  return range;
}

test('days are chosen in any order, and both are within the time', () => {
  const range = { from: '2026-11-05T00:00:00.000Z', to: '2026-11-10T00:00:00.000Z' };
  expect(rangeAfter('First day (UTC)', '2026-11-09')).toEqual(range);
  expect(rangeAfter('Last day (UTC)', '2026-11-01')).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-04T00:00:00.000Z',
  });
  expect(rangeAfter('First day (UTC)', '')).toBeNull();
});

test('a time that ends with a day has that day as its last, and one that ends within a day has the whole of it', () => {
  const fromMs = Date.UTC(2026, 10, 3, 7);
  const from = '2026-11-03T00:00:00.000Z';
  expect(daysOf({ fromMs, toMs: Date.UTC(2026, 10, 6) })).toEqual({ from, to: '2026-11-06T00:00:00.000Z' });
  expect(daysOf({ fromMs, toMs: Date.UTC(2026, 10, 6, 0, 0, 0, 1) })).toEqual({ from, to: '2026-11-07T00:00:00.000Z' });
});
