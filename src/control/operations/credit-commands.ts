import type { CommandTable } from './command.ts';
import { ONCE, WORKSPACE } from './words.ts';

const AMOUNT = { word: '<usd>', kind: 'usd', help: 'amount, such as 5 or 0.25' } as const;
const REASON = { word: '--reason <text>', required: true, help: 'the reason, kept in the ledger' } as const;
const POSTING = { workspace: WORKSPACE, amount_usd: AMOUNT, reason: REASON, once: ONCE };

export const CREDIT_COMMANDS = {
  'credit top-up': {
    calls: 'postCredit',
    summary: 'add credit that was paid for',
    takes: POSTING,
    gives: { kind: 'top_up' },
    example: 'acme 25 --reason "invoice 118" --once invoice-118',
  },
  'credit grant': {
    calls: 'postCredit',
    summary: 'give a workspace credit',
    takes: POSTING,
    gives: { kind: 'grant' },
    example: 'acme 25 --reason "invoice 118" --once invoice-118',
  },
  'credit refund': {
    calls: 'postCredit',
    summary: 'take back credit for a refunded payment',
    takes: POSTING,
    gives: { kind: 'refund' },
    isConfirmed: true,
    example: 'acme 25 --reason "invoice 118" --once invoice-118',
  },
  'credit dispute': {
    calls: 'postCredit',
    summary: 'take back credit for a disputed payment',
    takes: {
      ...POSTING,
      won: { word: '--won', kind: 'flag', help: 'the dispute was won: restore its credit' },
    },
    gives: { kind: 'dispute' },
    example: 'acme 25 --reason "invoice 118" --once invoice-118',
  },
  'credit adjust': {
    calls: 'postCredit',
    summary: 'add credit, or take it back with an amount below zero',
    takes: { ...POSTING, amount_usd: { ...AMOUNT, kind: 'signed usd' } },
    gives: { kind: 'adjustment' },
    example: 'acme 25 --reason "invoice 118" --once invoice-118',
  },
  'credit history': {
    calls: 'listPostings',
    summary: "list the postings to a workspace's credit",
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
} as const satisfies CommandTable;
