import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Meter } from './meter.tsx';

const BUDGET = { label: 'Budget of web', spent: '1000000000', held: '250000000', limit: '5000000000' };

/** What a meter says beside its bar. */
function wordsOf(meter: Parameters<typeof Meter>[0]): string {
  return renderToStaticMarkup(<Meter {...meter} />).replaceAll(/<[^>]*>/g, '');
}

test('a meter says what is leased where that is more than what is held', () => {
  const standing = '$1.00 spent, $0.25 held, $3.75 left of $5.00';
  expect(wordsOf({ ...BUDGET, leased: '2000000000' })).toBe(`${standing}; $2.00 leased, including holds`);
  expect(wordsOf({ ...BUDGET, leased: '250000000' })).toBe(standing);
  expect(wordsOf(BUDGET)).toBe(standing);
});
