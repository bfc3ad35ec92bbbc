import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { meQuery } from '../../api/account.ts';
import { CreditStanding } from './credit-standing.tsx';

/** The balance's part of the page for an owner, as markup. */
function markupOf(amounts: { readonly balance: bigint; readonly owed: bigint; readonly expires?: string }): string {
  const workspace = {
    id: 'w',
    balance_nano_usd: amounts.balance.toString(),
    held_nano_usd: '250000000',
    leased_nano_usd: '2000000000',
    owed_nano_usd: amounts.owed.toString(),
    expires_at: amounts.expires ?? null,
    expiring_nano_usd: '3000000000',
  } as unknown as WorkspaceJson;
  const client = new QueryClient();
  client.setQueryData(meQuery.queryKey, {
    user: { is_operator: false },
    workspaces: [{ id: 'w', role: 'owner' }],
  } as never);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <CreditStanding workspace={workspace} />
    </QueryClientProvider>,
  );
}

const DANGER = /class="[^"]*text-danger-text[^"]*"[^>]*>(?:<[^>]*>)*([^<]+)/g;
const marked = (markup: string): readonly (string | undefined)[] =>
  [...markup.matchAll(DANGER)].map(([, text]) => text);

test('what a workspace owes is marked, named as repaid by the next credit, and so is a balance that is used up', () => {
  const owing = markupOf({ balance: -2_000_000_000n, owed: 2_000_000_000n });
  expect(marked(owing)).toEqual(['−$2.00', '$2.00']);
  expect(owing).toContain('Owed, repaid by the next credit');
  expect(owing).toContain('No credit is left');
  expect(marked(markupOf({ balance: 0n, owed: 0n }))).toEqual(['$0.00']);
});

test('a workspace that owes nothing and has credit has nothing marked', () => {
  const markup = markupOf({ balance: 1_000_000_000n, owed: 0n });
  expect(marked(markup)).toEqual([]);
  expect(markup).toContain('>Owed<');
});

test('what requests hold stands beside what processes have leased', () => {
  const words = markupOf({ balance: 5_000_000_000n, owed: 0n }).replaceAll(/<[^>]*>/g, ' ');
  expect(words).toMatch(/Held\s+\$0\.25\s+Leased, including holds\s+\$2\.00/);
});

test('the credit that expires next stands with its day, and no more is said of it than that it expires', () => {
  const expires = '2999-12-05T00:00:00.000Z';
  const words = markupOf({ balance: 5_000_000_000n, owed: 0n, expires }).replaceAll(/<[^>]*>/g, ' ');
  expect(words).toContain('Of it, $3.00 expires 5 Dec 2999');
});
