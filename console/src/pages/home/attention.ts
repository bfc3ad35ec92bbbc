import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ProviderJson } from '../../../../src/control/admin/providers/provider-contract.ts';
import type { OverviewJson } from '../../../../src/control/admin/accounts/overview-contract.ts';
import { addCredit, remedyOf } from '../../components/alert-words.ts';
import type { AttentionItem } from '../../components/attention-items.tsx';
import { formatRunway } from '../../components/runway.ts';
import { formatNumberOf } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { formatTime } from '../../format/time.ts';
import { paths } from '../../paths.ts';

interface Sources {
  /** The workspace's id. */
  readonly id: string;
  /** Null: the user does not see it, but what is their own in it. */
  readonly workspace: WorkspaceJson | null;
  /** How long the balance lasts; null: not known, or nothing is spent. */
  readonly runwayDays: number | null;
  readonly overview: OverviewJson;
  /** Of the instance, for its operators. */
  readonly problems: readonly string[];
  readonly providers: readonly ProviderJson[];
  readonly now: Date;
}

const LOW_DAYS = 7;
const LAST_DAYS = 1;

/** All that asks for attention, the worst first. What an alert says of a limit that is listed anyway is left out. */
export function attentionOf(sources: Sources): readonly AttentionItem[] {
  const items = [
    ...ofState(sources),
    ...ofCredit(sources),
    ...ofExpiry(sources),
    ...ofAutoTopUp(sources),
    ...ofLimits(sources),
    ...ofKeys(sources),
    ...ofAlerts(sources),
    ...ofProviders(sources),
    ...ofInstance(sources),
  ];
  return items.toSorted((one, other) => Number(other.tone === 'danger') - Number(one.tone === 'danger'));
}

const STATES: Readonly<Record<WorkspaceJson['state'], string | null>> = {
  active: null,
  suspended: 'This workspace is suspended: its keys are refused.',
  closing: 'This workspace is being closed: its keys are refused, and what is left of its credit is refunded.',
  closed: 'This workspace is closed.',
};

function ofState({ workspace }: Sources): readonly AttentionItem[] {
  if (workspace === null) return [];
  const { id, state, suspension_reason: reason } = workspace;
  const text = STATES[state];
  if (text === null) return [];
  const why = reason === null ? '' : ` The reason: ${reason}.`;
  return [
    {
      id: 'state',
      tone: 'danger',
      text: text + why,
      action: { label: 'See its settings', href: paths.settings(id) },
    },
  ];
}

function ofCredit({ workspace, runwayDays }: Sources): readonly AttentionItem[] {
  if (workspace === null || workspace.state !== 'active') return [];
  const action = addCredit(workspace.id);
  if (BigInt(workspace.balance_nano_usd) <= 0n) {
    return [{ id: 'credit', tone: 'danger', text: 'No credit is left: requests are refused.', action }];
  }
  if (runwayDays === null || runwayDays >= LOW_DAYS) return [];
  const text = `The credit lasts for about ${formatRunway(runwayDays)}, at what the last seven days cost.`;
  return [{ id: 'credit', tone: runwayDays < LAST_DAYS ? 'danger' : 'warn', text, action }];
}

const EXPIRES_WITHIN_MS = 7 * 86_400_000;

function ofExpiry({ workspace, now }: Sources): readonly AttentionItem[] {
  if (workspace === null || workspace.state !== 'active' || workspace.expires_at === null) return [];
  const { id, expires_at: at, expiring_nano_usd: amount } = workspace;
  if (Date.parse(at) - now.getTime() > EXPIRES_WITHIN_MS) return [];
  return [
    {
      id: 'expiring-credit',
      tone: 'warn',
      text: `${formatMoney(amount)} of the credit expires ${when(at, now)}.`,
      action: { label: 'See the credit', href: paths.credit(id) },
    },
  ];
}

function ofAutoTopUp({ id, overview: { auto_top_up_stop: stop } }: Sources): readonly AttentionItem[] {
  if (stop === null) return [];
  const why =
    stop === 'failures'
      ? 'Automatic top-ups have stopped after three payments that failed.'
      : 'Automatic top-ups wait until you confirm a payment with your bank.';
  const action = remedyOf(id, 'auto_top_up_stopped', id);
  return [{ id: 'auto-top-up', tone: 'danger', text: why, action }];
}

const KINDS = { project: 'project_budget', key: 'key_limit' } as const;

function ofLimits({ id: workspace, overview, now }: Sources): readonly AttentionItem[] {
  return overview.near_limits.map(
    ({ kind, id, name, used_nano_usd: used, limit_nano_usd: limit, resets_at: resets }) => {
      const [what, of] = kind === 'project' ? ['Project', 'budget'] : ['Key', 'limit'];
      const again = resets === null ? '' : ` It resets ${when(resets, now)}.`;
      return {
        id: `limit ${id}`,
        tone: BigInt(used) * 100n >= BigInt(limit) * 99n ? 'danger' : 'warn',
        text: `${what} ${name} has spent ${formatMoney(used)} of its ${of} of ${formatMoney(limit)}.${again}`,
        action: remedyOf(workspace, KINDS[kind], id),
      };
    },
  );
}

function ofKeys({ id: workspace, overview, now }: Sources): readonly AttentionItem[] {
  return overview.expiring_keys.map(({ id, name, expires_at: at }) => ({
    id: `expiry ${id}`,
    tone: 'warn',
    text: `Key ${name} expires ${when(at, now)}.`,
    action: { label: 'Change its expiry', href: paths.key(workspace, id) },
  }));
}

const OF_CREDIT = new Set(['balance_below', 'balance_share', 'runway']);

function ofAlerts(sources: Sources): readonly AttentionItem[] {
  const { id: workspace, overview } = sources;
  const listed = new Set(overview.near_limits.map(({ id }) => id));
  const isCreditListed = ofCredit(sources).length > 0;
  return overview.open_alerts
    .filter(({ kind, subject }) => {
      if (OF_CREDIT.has(kind)) return !isCreditListed;
      if (kind === 'auto_top_up_stopped') return overview.auto_top_up_stop === null;
      return !listed.has(subject.id);
    })
    .map(({ id, kind, subject, summary }) => ({
      id: `alert ${id}`,
      tone: 'warn',
      text: summary,
      action: remedyOf(workspace, kind, subject.id),
    }));
}

function ofInstance({ problems }: Sources): readonly AttentionItem[] {
  return problems.map((text) => ({
    id: `problem ${text}`,
    tone: 'danger',
    text,
    action: { label: 'See the instance', href: paths.operatorInstance() },
  }));
}

const NAMED_MAX = 3;

function ofProviders({ providers }: Sources): readonly AttentionItem[] {
  const cutOff = modelsWithoutRoute(providers);
  return providers.flatMap(({ name, state, routes }) => {
    const resting = routes.filter((route) => route.state === 'resting');
    if (state !== 'key_refused' && resting.length === 0) return [];
    const lost = [...new Set(resting.map(({ model }) => model).filter((model) => cutOff.has(model)))];
    const fault =
      state === 'key_refused'
        ? `Provider ${name} refuses its key.`
        : `${resting.length} of ${formatNumberOf(routes.length, 'route')} to provider ${name} ${resting.length === 1 ? 'rests' : 'rest'}.`;
    return [
      {
        id: `provider ${name}`,
        tone: state === 'key_refused' || lost.length > 0 ? 'danger' : 'warn',
        text: lost.length === 0 ? fault : `${fault} Requests to ${namesOf(lost)} are refused.`,
        action: { label: 'See the providers', href: paths.operatorProviders() },
      },
    ];
  });
}

/** Models that no process can call, because each of their routes rests in all of them. */
function modelsWithoutRoute(providers: readonly ProviderJson[]): ReadonlySet<string> {
  const routes = providers.flatMap((provider) => provider.routes).filter(({ on_sale: isOnSale }) => isOnSale);
  const byModel = Map.groupBy(routes, ({ model }) => model);
  const isResting = ({ processes: { resting, ...others } }: ProviderJson['routes'][number]): boolean =>
    resting > 0 && Object.values(others).every((count) => count === 0);
  return new Set([...byModel].filter(([, known]) => known.every(isResting)).map(([model]) => model));
}

function namesOf(models: readonly string[]): string {
  const more = models.length - NAMED_MAX;
  const named = models.slice(0, NAMED_MAX).join(', ');
  return more > 0 ? `${named} and ${formatNumberOf(more, 'more model')}` : named;
}

/** "in 5 h", "on 1 Dec, 00:00 UTC". */
function when(at: string, now: Date): string {
  const words = formatTime(new Date(at), now);
  return words.startsWith('in ') || words === 'now' ? words : `on ${words}`;
}
