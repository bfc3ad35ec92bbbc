import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { KeyJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { KeyState } from '../../../../src/domain/key-lists.ts';
import { KEY_USAGE_DAYS, keyQuery, keyUsageQuery } from '../../api/keys.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { keyStateOf, KeyStatus, ownerOf } from '../../components/key-columns.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { limitNow, RaiseButton, RaisedLimit } from '../../components/raised-limit.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { timeSlots } from '../../components/time-slots.ts';
import { netCharge, usageBars } from '../../components/usage-bars.ts';
import { addDays, dayOf, startOf } from '../../format/day.ts';
import { formatMoney, formatMoneyExactly, formatMoneyTicks } from '../../format/money.ts';
import { KeyDisable, KeyEndFormer, KeyRevoke, KeyRotate } from '../../forms/key-actions.tsx';
import { KeyUpdateForm } from '../../forms/key-forms.tsx';
import { KeyRaise } from '../../forms/raise-sheet.tsx';
import { paths } from '../../paths.ts';
import { useMe, useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { Copied } from '../../ui/copied.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { useHour } from '../../ui/use-hour.ts';

const route = getRouteApi('/in/workspaces/$workspace/keys/$key');

export function KeyPage(): ReactNode {
  const { workspace, key: id } = route.useParams();
  const hidden = useUnavailable(workspace, 'keys:read', 'see keys');
  const query = useQuery({ ...keyQuery(workspace, id), enabled: hidden === null });
  if (query.data !== undefined) return <LoadedKey apiKey={query.data} problem={<Loaded query={query} />} />;
  return (
    <Page title="Key">
      {hidden === null ? (
        <Loaded query={query} back={{ label: 'See all keys', href: paths.keys(workspace) }} />
      ) : (
        <EmptyState cause={hidden} />
      )}
    </Page>
  );
}

interface LoadedKeyProps {
  readonly apiKey: KeyJson;
  /** What went wrong when it was read again. */
  readonly problem: ReactNode;
}

function LoadedKey({ apiKey, problem }: LoadedKeyProps): ReactNode {
  const { change, raise, limit } = route.useSearch();
  const navigate = route.useNavigate();
  const setChanging = (isChanging: boolean) =>
    void navigate({ search: { change: isChanging ? 'true' : undefined }, replace: !isChanging });
  const setRaising = (isRaising: boolean) =>
    void navigate({ search: { raise: isRaising ? 'true' : undefined }, replace: !isRaising });
  const unavailable = useChangeUnavailable(apiKey);
  const kept = unavailable ?? (apiKey.kind === 'console' ? OF_PLAYGROUND : null);
  return (
    <Page
      title={apiKey.name}
      answers={<Standing apiKey={apiKey} />}
      actions={
        <>
          <KeyRevoke apiKey={apiKey} unavailable={kept} />
          <KeyDisable apiKey={apiKey} unavailable={unavailable} />
          <KeyRotate apiKey={apiKey} unavailable={kept} />
          <Button kind="primary" onClick={() => setChanging(true)} unavailable={unavailable}>
            Change key
          </Button>
        </>
      }
    >
      {problem}
      <KeyEndFormer apiKey={apiKey} unavailable={unavailable} />
      <Spent apiKey={apiKey} unavailable={unavailable} onRaise={() => setRaising(true)} />
      <Section
        title="Usage"
        actions={
          <TextLink href={paths.requests(apiKey.workspace_id, { key: apiKey.id })} className="text-control">
            Latest requests
          </TextLink>
        }
      >
        <KeyUsage apiKey={apiKey} />
      </Section>
      <Section title="About this key">
        <KeyFacts apiKey={apiKey} />
      </Section>
      {change === 'true' && unavailable === null && (
        <KeyUpdateForm apiKey={apiKey} limit={limit} onClose={() => setChanging(false)} />
      )}
      {raise === 'true' && unavailable === null && apiKey.spend_limit_nano_usd !== null && (
        <KeyRaise apiKey={apiKey} limit={limit} onClose={() => setRaising(false)} />
      )}
    </Page>
  );
}

const OF_PLAYGROUND =
  'A member calls models with this key in the playground: nobody has its secret. Disable it instead.';

/** Why the key can't be changed; null if it can. */
function useChangeUnavailable({ workspace_id: workspace, created_by: owner, revoked_at: revokedAt }: KeyJson) {
  const isOwn = owner === useMe().user.id;
  const action = isOwn ? 'change keys' : 'change keys of others';
  const unavailable = useUnavailable(workspace, 'keys:write', action, isOwn);
  return unavailable ?? (revokedAt === null ? null : 'This key is revoked for good. Create another.');
}

const REFUSED: Readonly<Record<Exclude<KeyState, 'active'>, string>> = {
  revoked: 'This key is revoked: it is refused.',
  expired: 'This key has expired: it is refused until its expiry is changed.',
  disabled: 'This key is disabled: it is refused until it is enabled.',
};

/** The state of a key in a sentence. */
function Standing({ apiKey }: { readonly apiKey: KeyJson }): ReactNode {
  const { spend_limit_nano_usd: limit, used_nano_usd: used } = apiKey;
  const state = keyStateOf(apiKey);
  if (state !== 'active') return REFUSED[state];
  return (
    <>
      {limit === null ? (
        'This key has no limit of its own.'
      ) : (
        <>
          This key may spend <Money exact amount={limit} /> a month.
        </>
      )}{' '}
      It has spent <Money amount={used} /> this month.
    </>
  );
}

interface SpentProps {
  readonly apiKey: KeyJson;
  /** Why its limit can't be raised; null if it can. */
  readonly unavailable: string | null;
  readonly onRaise: () => void;
}

function Spent({ apiKey, unavailable, onRaise }: SpentProps): ReactNode {
  const { name, used_nano_usd: used, held_nano_usd: held, leased_nano_usd: leased } = apiKey;
  const { spend_limit_nano_usd: limit, resets_at: resets } = apiKey;
  return (
    <Section
      title="Spent this month"
      lead={
        <>
          {limit === null ? 'A new month begins' : 'The limit resets'} <Timestamp at={resets} />.{' '}
          <RaisedLimit ordinary={limit} raise={apiKey} />
        </>
      }
      actions={limit !== null && <RaiseButton unavailable={unavailable} onRaise={onRaise} />}
    >
      <Meter label={`Limit of ${name}`} spent={used} held={held} leased={leased} limit={limitNow(limit, apiKey)} />
    </Section>
  );
}

/** What a key was charged by day and model. */
function KeyUsage({ apiKey }: { readonly apiKey: KeyJson }): ReactNode {
  const nowMs = useHour();
  const today = dayOf(new Date(nowMs));
  const first = startOf(addDays(today, 1 - KEY_USAGE_DAYS));
  const query = useQuery(keyUsageQuery(apiKey, first.toISOString()));
  const { data, error } = query;
  const problem = <ProblemPanel error={error} onRetry={() => void query.refetch()} />;
  if (data === undefined) return error === null ? <div aria-busy="true" className="h-60" /> : problem;
  if (data.total.requests === 0) {
    return <EmptyState cause={`No request of this key was charged in the last ${KEY_USAGE_DAYS} days.`} />;
  }
  const { bars, series } = usageBars(
    data,
    timeSlots({ fromMs: first.getTime(), toMs: startOf(addDays(today, 1)).getTime(), bucket: 'day' }, nowMs),
    { measure: netCharge, seriesOf: ({ group, name }) => ({ id: group, label: name ?? group, kind: 'model' }) },
  );
  return (
    <>
      {problem}
      <StackedBars
        label="Charge by day and model"
        lead={`${formatMoney(data.total.net_charge_nano_usd)} in ${KEY_USAGE_DAYS} days, UTC`}
        barHeader="Day (UTC)"
        bars={bars}
        series={series}
        format={formatMoneyExactly}
        formatAxis={formatMoneyTicks}
      />
    </>
  );
}

/** What was decided about a key, and what is known of it. */
function KeyFacts({ apiKey }: { readonly apiKey: KeyJson }): ReactNode {
  const notes = Object.entries(apiKey.metadata);
  return (
    <DefinitionList
      items={[
        { term: 'Status', value: <KeyStatus apiKey={apiKey} /> },
        {
          term: 'Key',
          value:
            apiKey.kind === 'console' ? (
              'for the playground, without a secret'
            ) : (
              <code className="font-mono">{apiKey.masked_key}</code>
            ),
        },
        {
          term: 'Project',
          value: (
            <TextLink href={paths.project(apiKey.workspace_id, apiKey.project_id)}>{apiKey.project_name}</TextLink>
          ),
        },
        { term: 'Owner', value: ownerOf(apiKey) },
        { term: 'Limit a month', value: <Money exact amount={apiKey.spend_limit_nano_usd} /> },
        { term: 'Models', value: apiKey.models === null ? 'all that its project allows' : apiKey.models.join(', ') },
        apiKey.allowed_networks !== null && { term: 'Accepted from', value: apiKey.allowed_networks.join(', ') },
        { term: 'Expires', value: <Timestamp at={apiKey.expires_at} /> },
        { term: 'Last used', value: <Timestamp at={apiKey.last_used_at} /> },
        { term: 'Created', value: <Timestamp at={apiKey.created_at} /> },
        apiKey.disabled_at !== null && { term: 'Disabled', value: <Timestamp at={apiKey.disabled_at} /> },
        apiKey.revoked_at !== null && { term: 'Revoked', value: <Timestamp at={apiKey.revoked_at} /> },
        ...(notes.length === 0
          ? []
          : [{ term: 'Metadata', value: notes.map(([name, value]) => `${name}=${value}`).join(', ') }]),
        { term: 'Id', value: <Copied text={apiKey.id} label="Copy key id" /> },
      ]}
    />
  );
}
