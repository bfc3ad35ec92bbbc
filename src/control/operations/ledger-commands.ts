import { USAGE_BUCKETS, WORKSPACE_GROUPINGS } from '../../domain/usage-groupings.ts';
import type { CommandTable } from './command.ts';
import { WORKSPACE } from './words.ts';

export const LEDGER_COMMANDS = {
  'ledger verify': {
    summary: 'verify that credit posted − charges = balance, to the nano-USD',
    takes: {
      all_cells: {
        word: '--all-cells',
        kind: 'flag',
        help: 'of this cell and all others, one after the other, with their sum',
      },
    },
    example: '--all-cells',
  },
  'ledger export': {
    summary: 'print records as CSV, or as lines of JSON, with amounts that add up to the ledger',
    takes: {
      what: { word: '<what>', kind: 'choice', of: ['receipts', 'entries', 'usage'], help: 'which records' },
      workspace: WORKSPACE,
      from: { word: '--from <date>', kind: 'time', help: 'from this time on; a date means its start in UTC' },
      to: { word: '--to <date>', kind: 'time', help: 'before this time; a date means its start in UTC' },
      by: { word: '--by <what>', kind: 'choice', of: WORKSPACE_GROUPINGS, help: 'how to group usage' },
      andBy: { word: '--and-by <what>', kind: 'choice', of: WORKSPACE_GROUPINGS, help: 'a second grouping of usage' },
      bucket: { word: '--bucket <length>', kind: 'choice', of: USAGE_BUCKETS, help: 'how to cut usage in time' },
    },
    example: 'receipts acme --from 2026-11-01 --to 2026-12-01',
  },
  'ledger proofs': {
    calls: 'listProofs',
    summary: 'list the last proofs, and show how far the one has come that is being made',
    example: '',
  },
  'ledger seals': {
    calls: 'listSeals',
    summary: 'list the weeks whose receipts are sealed, with the digests of their totals',
    example: '',
  },
  'ledger corrections': {
    calls: 'listCorrections',
    summary: 'list the corrections of receipts of all workspaces',
    example: '',
  },
  'ledger seal': {
    summary: 'seal old receipts: store their totals, so that the receipts can be dropped',
    takes: {
      before: { word: '<date>', kind: 'time', help: 'receipts of whole weeks before this day' },
      drop: { word: '--drop', kind: 'flag', help: 'drop the sealed receipts; their totals still count in every proof' },
    },
    isConfirmed: true,
    example: '2026-01-01 --drop',
  },
  'ledger rebuild-usage': {
    calls: 'rebuildUsage',
    summary: 'count usage from the receipts again; until it is done, usage is not answered',
    example: '',
  },
} as const satisfies CommandTable;
