import type { PostingCreation } from '../../../src/control/admin/ledger/ledger-contract.ts';

// The commands of credit.

const VERBS: Readonly<Record<PostingCreation['kind'], string>> = {
  top_up: 'top-up',
  grant: 'grant',
  refund: 'refund',
  dispute: 'dispute',
  adjustment: 'adjust',
};

export const creditCommand = {
  post: (workspace: string, posting: PostingCreation) => [
    'credit',
    VERBS[posting.kind],
    workspace,
    posting.amount_usd === '' ? 'USD' : posting.amount_usd,
    '--reason',
    posting.reason === '' ? 'REASON' : posting.reason,
    ...('won' in posting && posting.won === true ? ['--won'] : []),
  ],
  topUp: (workspace: string, amount: string | null, savesMethod: boolean) => [
    'top-up',
    'create',
    workspace,
    amount ?? 'USD',
    ...(savesMethod ? ['--save-method'] : []),
  ],
  /** Without the code: commands stay in the history of a shell. */
  redeem: (workspace: string) => ['code', 'redeem', workspace, 'CODE'],
  autoTopUp: (
    workspace: string,
    { below, amount, monthMax }: Readonly<Record<'below' | 'amount' | 'monthMax', string>>,
  ) => [
    'auto-top-up',
    'update',
    workspace,
    '--enable',
    '--below',
    below,
    '--amount',
    amount,
    '--month-max',
    monthMax,
    '--consent',
  ],
  history: (workspace: string) => ['credit', 'history', workspace],
  topUps: (workspace: string) => ['payments', 'list', workspace],
};
