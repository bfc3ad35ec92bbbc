import { ENDING_PERIODS } from '../../domain/window.ts';
import type { CommandTable } from './command.ts';
import { ID, ONCE, WORKSPACE } from './words.ts';

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
    takes: {
      ...POSTING,
      expires_at: {
        word: '--expires <time>',
        kind: 'time',
        help: 'when what is left of it expires, such as 2027-01-31 (UTC)',
      },
    },
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
  'credit expiring': {
    calls: 'listExpiringGrants',
    summary: 'list the credit that will expire, the earliest first',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'credit recurring create': {
    calls: 'createRecurringGrant',
    summary: 'give a workspace credit at the begin of each day, week or month (UTC)',
    takes: {
      workspace: WORKSPACE,
      amount_usd: AMOUNT,
      period: {
        word: '--period <period>',
        kind: 'choice',
        of: ENDING_PERIODS,
        required: true,
        help: 'how often',
      },
      expires: {
        word: '--expires <when>',
        kind: 'choice',
        of: ['with_period', 'never'],
        help: 'when what is left of it expires; with_period unless given',
      },
      expires_after_days: {
        word: '--expires-after <days>',
        kind: 'count',
        max: 3_660,
        help: 'it expires so many days after the begin of its period',
      },
      starts: {
        word: '--starts <when>',
        kind: 'choice',
        of: ['now', 'next'],
        help: 'with the present period, posted now, or with the next one; now unless given',
      },
      reason: REASON,
      once: ONCE,
    },
    example: 'acme 20 --period month --reason "plan S"',
  },
  'credit recurring list': {
    calls: 'listRecurringGrants',
    summary: "list a workspace's recurring grants",
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'credit recurring end': {
    calls: 'endRecurringGrant',
    summary: 'end a recurring grant; credit that it gave stays until that expires',
    takes: { workspace: WORKSPACE, grant: { word: '<grant>', help: 'its id' } },
    isConfirmed: true,
    example: `acme ${ID}`,
  },
  'credit history': {
    calls: 'listPostings',
    summary: "list the postings to a workspace's credit",
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
} as const satisfies CommandTable;
