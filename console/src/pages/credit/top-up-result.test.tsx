import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { topUpQuery } from '../../api/credit.ts';
import { TopUpResult } from './top-up-result.tsx';

/** Which actions somebody has who comes back from the payment page. */
function actionsOf(state: string, wasLeft: boolean): readonly string[] {
  const client = new QueryClient();
  const topUp = { state, failure: null, amount_nano_usd: '40000000000', checkout_url: 'https://pay.example/1' };
  client.setQueryData(topUpQuery('w', 't').queryKey, topUp as never);
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <TopUpResult
        workspace={{ id: 'w', name: 'acme' } as WorkspaceJson}
        topUp="t"
        wasLeft={wasLeft}
        again="Try again"
        onDismiss={() => undefined}
      />
    </QueryClientProvider>,
  );
  return ['Continue to payment', 'Try again', 'Dismiss'].filter((action) => markup.includes(action));
}

test('a payment that was left can be continued or dismissed, and one that is waited for neither', () => {
  expect(actionsOf('pending', true)).toEqual(['Continue to payment', 'Dismiss']);
  expect(actionsOf('pending', false)).toEqual([]);
  expect(actionsOf('processing', true)).toEqual([]);
  expect(actionsOf('failed', false)).toEqual(['Try again', 'Dismiss']);
  expect(actionsOf('paid', false)).toEqual(['Dismiss']);
});
