import type { HomeFiguresJson } from '../../src/control/admin/accounts/overview-contract.ts';
import type { MeJson } from '../../src/control/admin/identity/identity-contract.ts';
import type { UsageJson } from '../../src/control/admin/usage/usage-contract.ts';
import { homeDays, lastDay, lastMonthSoFar } from '../../src/domain/home-stretches.ts';
import type { DescribedOperation } from '../support/described-api.ts';
import { answerByExample } from '../support/described-operations.ts';
import { ANSWERED_MS } from '../support/example-answers.ts';
import { type Visitor, W } from './visited-pages.ts';

/** Amounts that may be paid, so far apart that what a test types lies between them. */
const BOUNDS: Readonly<Record<string, string>> = { amount_min_usd: '5.00', amount_max_usd: '5000.00' };
/** When things ended, after which little can be done to them. */
const ENDS = ['revoked_at', 'archived_at', 'closed_at', 'closing_at', 'suspended_at', 'disabled_at', 'cancelled_at'];

const HOUR_MS = 3_600_000;
const DAYS = 30;

/** Usage of the time that was asked for: its points lie in it one bucket after the other, those of the time before in that. */
function inTime(usage: UsageJson, { searchParams }: URL): UsageJson {
  const stepMs = searchParams.get('bucket') === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  const given = (name: string, other: number): number => Date.parse(searchParams.get(name) ?? '') || other;
  const to = given('to', Math.ceil(ANSWERED_MS / stepMs) * stepMs);
  const from = given('from', to - DAYS * 24 * HOUR_MS);
  const moved = (points: UsageJson['points'], startMs: number): UsageJson['points'] =>
    points.map((point, index) => ({ ...point, starts_at: new Date(startMs + index * stepMs).toISOString() }));
  return {
    ...usage,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    groups: usage.groups.map((group) => ({ ...group, points: moved(group.points, from) })),
    points: moved(usage.points, from),
    points_before: moved(usage.points_before, from - (to - from)),
  };
}

/** An answer all of whose things belong to the workspace of the page, as what the visitor may do depends on it. */
function inWorkspace(answer: unknown, { isAlive = false, isMoved = false }: Visitor): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value: unknown) => {
    if (name === 'workspace_id') return W;
    if (name.startsWith('moved_to') && !isMoved) return null;
    if (!isAlive) return value;
    return ENDS.includes(name) ? null : (BOUNDS[name] ?? value);
  }) as unknown;
}

/** The figures of the home page, each as its own operation answers it. */
function figuresBy(read: (path: string) => unknown): Readonly<Record<keyof HomeFiguresJson, unknown>> {
  const usage = (query: object): unknown =>
    read(`/workspaces/${W}/usage?${new URLSearchParams(query as Record<string, string>).toString()}`);
  return {
    workspace: read(`/workspaces/${W}`),
    receipts: read(`/workspaces/${W}/receipts?limit=5`),
    days: usage({ ...homeDays(ANSWERED_MS), bucket: 'day' }),
    last_day: usage({ ...lastDay(ANSWERED_MS), latency: 'true' }),
    last_month: usage(lastMonthSoFar(ANSWERED_MS)),
  };
}

/** What the admin API answers to a visitor, made of its description. */
export function answerTo(
  operations: readonly DescribedOperation[],
  request: { readonly method: string; readonly url: URL },
  visitor: Visitor,
): unknown {
  const { fullness, item, role, isOperator, withheld = null, isMoved = false } = visitor;
  const { operationId, answer } = answerByExample(operations, request, { fullness, item });
  const here = inWorkspace(answer, visitor) as object;
  if (operationId === 'showWorkspace') return { ...here, id: W };
  if (operationId.startsWith('showUsage')) return inTime(here as UsageJson, request.url);
  const read = (path: string): unknown =>
    answerTo(operations, { method: 'GET', url: new URL(`/admin/v1${path}`, request.url) }, visitor);
  if (operationId === 'showSession') return { me: read('/me') };
  if (operationId === 'showOverview') return { ...here, figures: figuresBy(read) };
  if (operationId !== 'getMe') return here;
  const { user, ...me } = answer as MeJson;
  const workspaces = [
    { id: W, name: 'acme', role, state: 'active', withheld, moved_to: isMoved ? '01' : null, moved_to_url: null },
  ];
  return { ...me, user: { ...user, is_operator: isOperator }, workspaces };
}
