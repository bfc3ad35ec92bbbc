import { Option, type Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { factText, otherFacts } from '../../../domain/receipt-facts.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { CliFailure } from '../cli-failure.ts';
import { countAboveZero, onceOption, usd } from '../option-values.ts';
import { pairs, table } from '../text-layout.ts';
import { refusalText } from './refusal-text.ts';

type Receipt = Awaited<ReturnType<AdminClient['showReceipt']>>;

interface CorrectionOptions {
  readonly charge?: string;
  readonly priceVersion?: number;
  readonly reason: string;
  readonly once?: string;
}

/** `receipt REQUEST_ID` and `receipt --last`: the stored record of one request; and `receipt correct`. */
export function addReceiptCommand(program: Command, context: CliContext): void {
  const receipt = program
    .command('receipt')
    .summary('show the usage and cost of a request, or why it was refused')
    .argument('[request-id]', "the x-request-id of the request's answer")
    .option('--last', 'show the most recent request of any workspace')
    .addHelpText('after', example('receipt --last'))
    .action(async (requestId: string | undefined, own: { last?: true }, command: Command) => {
      if ((requestId === undefined) === (own.last === undefined))
        throw new CliFailure('name one request: by the x-request-id of its answer, or with --last');
      const options = globalsOf(command);
      const client = context.connect(options);
      if (requestId === undefined) {
        const last = await client.showLastReceipt();
        return context.print(options, last, receiptText(last));
      }
      const { workspace_id: workspace, id } = await client.lookUp({ request_id: requestId });
      const found = await client.showRequest(workspace, id);
      if (found.kind === 'refusal') context.print(options, found.refusal, refusalText(found.refusal));
      else context.print(options, found.receipt, receiptText(found.receipt));
    });

  receipt
    .command('correct')
    .summary('correct the charge of a request by an adjustment; its receipt is not changed')
    .argument('<request-id>', "the x-request-id of the request's answer")
    .addOption(new Option('--charge <usd>', 'the correct charge').argParser(usd).conflicts('priceVersion'))
    .addOption(
      new Option('--price-version <number>', "charge at this version of its model's price").argParser(countAboveZero),
    )
    .requiredOption('--reason <text>', 'the reason, kept in the ledger')
    .addOption(onceOption())
    .addHelpText(
      'after',
      example('receipt correct 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11 --charge 0.05 --reason "wrong price"'),
    )
    .action(async (requestId: string, own: CorrectionOptions, command: Command) => {
      const { charge, priceVersion, reason, once } = own;
      if (charge === undefined && priceVersion === undefined)
        throw new CliFailure('give the correct charge with --charge USD or --price-version NUMBER');
      const options = globalsOf(command);
      const corrected = await context.connect(options).correctReceipt(requestId, {
        reason,
        ...definedFields({ charge_usd: charge, price_version: priceVersion, once }),
      });
      context.print(options, corrected, correctionText(corrected));
    });
}

function correctionText({ posting, receipt }: Awaited<ReturnType<AdminClient['correctReceipt']>>): string {
  if (posting === null) return `The request is charged ${receipt.net_charge_usd} USD already; nothing was posted.\n`;
  const was = posting.repeated ? 'This was posted before' : 'Posted';
  return `${was}: an adjustment of ${posting.amount_usd} USD; the request is charged ${receipt.net_charge_usd} USD.\n`;
}

const IDENTITY = [
  'request_id',
  'workspace_id',
  'workspace_name',
  'project_id',
  'project_name',
  'key_id',
  'key_name',
] as const;
const OUTCOME = ['model', 'dialect', 'session', 'outcome', 'retry', 'left_out', 'superseded_by', 'attempts'] as const;
const CHARGE = [
  'charge_usd',
  'hold_usd',
  'write_off_usd',
  'fees_usd',
  'net_charge_usd',
  'corrections',
  'cost',
  'levels',
] as const;
/** Each request is charged to workspace, project and key. */
const LEVELS_LEAST = 3;
const USED = ['usage', 'uses', 'shortened_to_tokens', 'price_version', 'price_adjustment'] as const;
/** What JSON alone says. */
const OMITTED = ['price_version_id', 'streamed', 'first_event_ms', 'client_request_id', 'settled_at', 'late'] as const;
const PLACED: readonly (keyof Receipt)[] = [...IDENTITY, ...OUTCOME, ...CHARGE, ...USED, ...OMITTED];

function receiptText(receipt: Receipt): string {
  const { certainty, tokens } = receipt.usage;
  const used = Object.entries(tokens).filter(([, count]) => count > 0);
  const usage = used.map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`).join(', ');
  const facts = pairs([
    ['request', receipt.request_id],
    ['model', receipt.model],
    ['dialect', receipt.dialect],
    ['session', receipt.session],
    ['outcome', receipt.outcome],
    ['retry', receipt.retry ? 'of a request that had failed within the minute before' : null],
    ['left out', receipt.left_out.length === 0 ? null : receipt.left_out.join(', ')],
    ['charge', `${receipt.charge_usd} USD`],
    ['corrected to', receipt.corrections.length === 0 ? null : `${receipt.net_charge_usd} USD`],
    ['hold', `${receipt.hold_usd} USD`],
    ['write-off', `${receipt.write_off_usd} USD`],
    ['uses', factText({ name: 'uses', value: receipt.uses }) || null],
    ['fees', receipt.fees_nano_usd === '0' ? null : `${receipt.fees_usd} USD`],
    ['superseded by', receipt.superseded_by],
    ['counts for', receipt.levels.length === LEVELS_LEAST ? null : receipt.levels.join(', ').replaceAll('_', ' ')],
    ['usage', `${usage === '' ? 'no tokens' : usage} (${certainty})`],
    ['shortened to', receipt.shortened_to_tokens],
    ['price version', priceVersionText(receipt)],
    ...otherFacts(receipt, PLACED).map((fact) => [fact.label, factText(fact)] as const),
    ['workspace', `${receipt.workspace_name} (${receipt.workspace_id})`],
    ['project', `${receipt.project_name} (${receipt.project_id})`],
    ['key', `${receipt.key_name} (${receipt.key_id})`],
  ]);
  return [facts, costText(receipt), correctionsText(receipt), attemptsText(receipt)].filter(Boolean).join('\n');
}

/** The price version, and how it differs from the list price. */
function priceVersionText({ price_version: version, price_adjustment: adjustment }: Receipt): string | number | null {
  if (adjustment === null) return version;
  const { change_percent: change, list_price_version: list } = adjustment;
  return `${version} (list price version ${list}, ${change.startsWith('-') ? '' : '+'}${change} %)`;
}

/** The calculation of the charge: a line for each class of tokens and of uses, their sum, and the rounding. */
function costText({ cost, charge_usd: charge, write_off_usd: writeOff }: Receipt): string {
  if (cost === null || cost.lines.length + cost.fee_lines.length === 0) return '';
  const rows = cost.lines.map((line) => [line.class.replaceAll('_', ' '), line.tokens, line.rate_usd, line.amount_usd]);
  const fees = cost.fee_lines.map((line) => [line.use.replaceAll('_', ' '), line.uses, line.fee_usd, line.amount_usd]);
  const feeHeadings = ['USES OF', 'COUNT', 'USD EACH', 'USD'];
  const feeTable = fees.length === 0 ? '' : table(feeHeadings, fees, '', feeHeadings.slice(1));
  const headings = ['TOKENS OF', 'COUNT', 'USD PER MILLION', 'USD'];
  const tier = cost.above_input_tokens === null ? '' : `At the prices above ${cost.above_input_tokens} input tokens.\n`;
  const rounded = cost.exact_usd === cost.cost_usd ? '' : `, rounded up to ${cost.cost_usd} USD`;
  const sum = `Their sum is ${cost.exact_usd} USD${rounded}`;
  const rest = cost.cost_usd === charge ? '.' : `: ${charge} USD charged, ${writeOff} USD written off.`;
  return `${tier}${table(headings, rows, '', ['COUNT', 'USD PER MILLION', 'USD'])}${feeTable}${sum}${rest}\n`;
}

function correctionsText({ corrections }: Receipt): string {
  const rows = corrections.map((each) => [each.posted_at, each.amount_usd, each.actor, each.reason]);
  return rows.length === 0
    ? ''
    : table(['CORRECTED', 'GIVEN BACK USD', 'ACTOR', 'REASON'], rows, '', ['GIVEN BACK USD']);
}

function attemptsText(receipt: Receipt): string {
  const rows = receipt.attempts.map((attempt) => [
    attempt.provider,
    attempt.upstream_model,
    attempt.status,
    attempt.duration_ms,
    attempt.fault,
    ...(attempt.strategy === null ? [] : [attempt.strategy, attempt.charged === null ? '' : 'charged']),
  ]);
  const hasSchema = receipt.attempts.some(({ strategy }) => strategy !== null);
  const headings = ['PROVIDER', 'MODEL', 'STATUS', 'MS', 'FAULT', ...(hasSchema ? ['ASKED BY', 'IF REJECTED'] : [])];
  return table(headings, rows, 'No route was tried.', ['STATUS', 'MS']);
}
