import type { AdminClient } from '../../../control/admin/client.ts';
import { pairs, table } from '../text-layout.ts';

type RefusalList = Awaited<ReturnType<AdminClient['listRefusals']>>;
type Refusal = RefusalList['data'][number];

const NONE = 'No refused request was found.';

/** Refused requests, newest first, and how many more there were. */
export function refusalsText({ data, unrecorded }: Pick<RefusalList, 'data' | 'unrecorded'>): string {
  const rows = data.map((each) => [
    each.refused_at,
    String(each.status),
    each.code,
    each.model,
    each.key_name,
    each.request_id,
  ]);
  const headings = ['REFUSED', 'STATUS', 'CODE', 'MODEL', 'KEY', 'REQUEST'];
  return table(headings, rows, NONE, ['STATUS']) + notRecorded(unrecorded);
}

function notRecorded(unrecorded: number): string {
  return unrecorded === 0 ? '' : `${unrecorded} more in the last 24 hours were not recorded in detail.\n`;
}

type RefusalCounts = Awaited<ReturnType<AdminClient['countAllRefusals']>>;

/** How many requests were refused with each code, the most first. */
export function refusalCountsText({ data, unrecorded, counted_from: from }: RefusalCounts): string {
  const byCode = Map.groupBy(data, ({ code }) => code);
  const rows = [...byCode]
    .map(([code, counted]) => [code, counted.reduce((sum, { requests }) => sum + requests, 0)] as const)
    .toSorted(([, one], [, other]) => other - one);
  const since = from === null ? '' : `Only those since ${from} are counted.\n`;
  return table(['CODE', 'REQUESTS'], rows, NONE, ['REQUESTS']) + since + notRecorded(unrecorded);
}

/** Why a request was refused, and what would have helped. */
export function refusalText(refusal: Refusal): string {
  const { shortage, rate_limit: rate } = refusal;
  const facts = pairs([
    ['request', refusal.request_id],
    ['refused', `${refusal.status} ${refusal.code}`],
    ['at', refusal.refused_at],
    ['endpoint', refusal.endpoint],
    ['model', refusal.model],
    ['field', refusal.param],
    ['needed', shortage === null ? null : `${shortage.needed_usd} USD`],
    ['exceeded', rate === null ? null : `${rate.most} ${RATES[rate.limit]}`],
    ['retry after', refusal.retry_after_ms === null ? null : `${refusal.retry_after_ms} ms`],
    ['fix', shortage?.fix ?? null],
    ['workspace', `${refusal.workspace_name} (${refusal.workspace_id})`],
    ['project', `${refusal.project_name} (${refusal.project_id})`],
    ['key', `${refusal.key_name} (${refusal.key_id})`],
  ]);
  const note = 'It reached no upstream, left no receipt and was charged nothing.\n';
  return [facts, levelsText(refusal), note].filter(Boolean).join('\n');
}

const RATES = {
  requests: 'requests a minute',
  tokens: 'tokens a minute',
  concurrency: 'requests at the same time',
} as const;

function levelsText({ shortage }: Refusal): string {
  const levels = shortage?.levels ?? [];
  if (levels.length === 0) return '';
  const rows = levels.map((each) => [
    each.level,
    each.limit_usd,
    each.used_usd,
    each.held_usd,
    each.left_usd,
    each.resets_at,
  ]);
  const amounts = ['LIMIT USD', 'USED USD', 'HELD USD', 'LEFT USD'];
  return table(['TOO LITTLE IN', ...amounts, 'RESETS'], rows, '', amounts);
}
