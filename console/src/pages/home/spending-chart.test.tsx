import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { UsageJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { SpendingChart } from './spending-chart.tsx';

function markupOf(spent: string): string {
  const points = [{ starts_at: '2026-11-19T00:00:00.000Z', sums: { net_charge_nano_usd: spent } }];
  const usage = { from: '2026-10-22T00:00:00.000Z', to: '2026-11-20T12:00:00.000Z', groups: [{ points }] };
  return renderToStaticMarkup(<SpendingChart usage={usage as unknown as UsageJson} />);
}

test('thirty days without a charge are a sentence, not a chart of nothing', () => {
  expect(markupOf('0')).toBe('<p class="text-control text-text-2">Nothing was charged in 30 days.</p>');
  expect(markupOf('1')).toContain('$0.000000001 in 30 days of UTC');
});
