import type { PostingCreation } from '../../../src/admin/ledger-contract.ts';

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
  history: (workspace: string) => ['credit', 'history', workspace],
  topUps: (workspace: string) => ['payments', 'list', workspace],
};
