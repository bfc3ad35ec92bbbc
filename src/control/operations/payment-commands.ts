import { TOP_UP_STATES } from '../../domain/top-up-states.ts';
import type { CommandTable } from './command.ts';
import { ID, ONCE, WORKSPACE } from './words.ts';

const TOP_UP = { word: '<top-up>', help: 'its id' } as const;

export const TOP_UP_COMMANDS = {
  'top-up list': {
    calls: 'listTopUps',
    summary: 'list top-ups and what became of them, of one workspace or of all',
    takes: {
      workspace: { word: '[workspace]', help: 'id or name' },
      state: { word: '--state <state>', kind: 'choice', of: TOP_UP_STATES, help: 'only those in this state' },
      provider: { word: '--provider <name>', help: 'only those paid in this way, such as stripe or codes' },
    },
    example: 'acme --state paid',
  },
  'top-up show': {
    calls: 'showTopUp',
    summary: 'show a top-up',
    takes: { workspace: WORKSPACE, top_up: TOP_UP },
    example: `acme ${ID}`,
  },
  'top-up create': {
    calls: 'createTopUp',
    summary: 'buy credit: print the page on which it is paid',
    takes: {
      workspace: WORKSPACE,
      amount_usd: { word: '<usd>', kind: 'usd', help: 'the credit, in whole cents, such as 25' },
      save_method: {
        word: '--save-method',
        kind: 'flag',
        help: 'the payer agrees that the means of payment is kept for automatic top-ups',
      },
      once: ONCE,
    },
    example: 'acme 25 --save-method',
  },
  'top-up refund': {
    calls: 'refundTopUp',
    summary: 'send money back to the payer, and take its credit back',
    takes: {
      workspace: WORKSPACE,
      top_up: TOP_UP,
      amount_usd: { word: '[usd]', kind: 'usd', help: 'how much; left out: all that is left, fee included' },
      once: ONCE,
    },
    isConfirmed: true,
    example: `acme ${ID} 5 --once ticket-118`,
  },
} as const satisfies CommandTable;

export const AUTO_TOP_UP_COMMANDS = {
  'auto-top-up show': {
    calls: 'showPaymentSettings',
    summary: 'show how a workspace pays, what top-ups cost, and its automatic top-ups',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'auto-top-up update': {
    calls: 'updatePaymentSettings',
    summary: 'change the automatic top-ups of a workspace',
    takes: {
      workspace: WORKSPACE,
      enabled: { kind: 'switch', word: '--enable', help: 'turn them on', offHelp: 'turn them off' },
      threshold_usd: { word: '--below <usd>', kind: 'usd', help: 'top up once the balance is below this amount' },
      amount_usd: { word: '--amount <usd>', kind: 'usd', help: 'the credit of each top-up' },
      month_max_usd: {
        word: '--month-max <usd>',
        kind: 'usd',
        help: 'the most that is charged in a month (UTC), fees included',
      },
      consent: { word: '--consent', kind: 'flag', help: 'the payer agrees to be charged without being asked again' },
    },
    nothing: 'nothing to change; give an option such as --disable',
    example: 'acme --enable --below 10 --amount 25 --month-max 100 --consent',
  },
} as const satisfies CommandTable;

export const CODE_COMMANDS = {
  'code create': {
    calls: 'createCodeBatch',
    summary: 'make a batch of codes; they are shown once',
    takes: {
      count: { word: '--count <number>', kind: 'count', required: true, help: 'how many' },
      amount_usd: {
        word: '--amount <usd>',
        kind: 'usd',
        required: true,
        help: 'what each code is worth, such as 5 or 0.25',
      },
      expires_at: {
        word: '--expires <date>',
        required: true,
        help: 'the day or time (UTC) from which they are void, such as 2027-01-31',
      },
      reason: { word: '--reason <text>', initial: 'redemption codes', help: 'what they are for' },
      sold: { word: '--sold', kind: 'flag', initial: false, help: 'they are sold, so their credit counts as paid' },
      once: ONCE,
    },
    example: '--count 100 --amount 5 --expires 2027-06-30 --reason "spring fair"',
  },
  'code batches': {
    calls: 'listCodeBatches',
    summary: 'list the batches of codes, and how many of each are redeemed',
    example: '',
  },
  'code list': {
    calls: 'listCodes',
    summary: 'list codes by their last four characters, and who redeemed them',
    takes: { batch: { word: '--batch <id>', help: 'of this batch only' } },
    example: '',
  },
  'code cancel': {
    calls: 'cancelCodeBatch',
    summary: 'end the codes of a batch that nobody has redeemed',
    takes: { batch: { word: '<batch>', help: 'its id' } },
    example: '0198c0de-0000-7000-8000-000000000000',
  },
  'code redeem': {
    calls: 'redeemCode',
    summary: 'redeem a code for the credit of a workspace',
    takes: { workspace: WORKSPACE, code: { word: '<code>' } },
    example: 'acme 7K2M-QX4T-9HZD-3VWR',
  },
} as const satisfies CommandTable;
