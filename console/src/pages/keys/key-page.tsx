import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { KeyJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { KeyState } from '../../../../src/domain/key-lists.ts';
import { keyQuery } from '../../api/keys.ts';
import { keyStateOf } from '../../components/key-status.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { KeyDisable } from '../../forms/key-disable.tsx';
import { KeyEndFormer } from '../../forms/key-end-former.tsx';
import { KeyRevoke } from '../../forms/key-revoke.tsx';
import { KeyRotate } from '../../forms/key-rotate.tsx';
import { KeyUpdateForm } from '../../forms/key-update.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { useMe, useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { KeyFacts } from './key-facts.tsx';
import { KeyUsage } from './key-usage.tsx';

const route = getRouteApi('/in/workspaces/$workspace/keys/$key');

export function KeyPage(): ReactNode {
  const { workspace, key: id } = route.useParams();
  const hidden = useUnavailable(workspace, 'keys:read', 'see keys');
  const { data: key, error, refetch } = useQuery({ ...keyQuery(workspace, id), enabled: hidden === null });
  if (key !== undefined) return <LoadedKey apiKey={key} error={error} onRetry={() => void refetch()} />;
  return (
    <Page title="Key">
      {hidden !== null && <EmptyState cause={hidden} />}
      {hidden === null && error === null && <Skeleton className="w-80" />}
      <ProblemPanel
        error={error}
        onRetry={() => void refetch()}
        back={{ label: 'See all keys', href: paths.keys(workspace) }}
      />
    </Page>
  );
}

interface LoadedKeyProps {
  readonly apiKey: KeyJson;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

function LoadedKey({ apiKey, error, onRetry }: LoadedKeyProps): ReactNode {
  const { change, limit } = route.useSearch();
  const navigate = route.useNavigate();
  const setChanging = (isChanging: boolean) =>
    void navigate({ search: { change: isChanging ? 'true' : undefined }, replace: !isChanging });
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
      <ProblemPanel error={error} onRetry={onRetry} />
      <KeyEndFormer apiKey={apiKey} unavailable={unavailable} />
      <Spent apiKey={apiKey} />
      <Section
        title="Usage"
        actions={
          <a
            href={paths.requests(apiKey.workspace_id, { key: apiKey.id })}
            className="text-control underline underline-offset-2"
          >
            Latest requests
          </a>
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
  const spent = `It has spent ${formatMoney(used)} this month.`;
  if (limit === null) return `This key has no limit of its own. ${spent}`;
  return `This key may spend ${formatMoney(limit)} a month. ${spent}`;
}

function Spent({ apiKey }: { readonly apiKey: KeyJson }): ReactNode {
  const { name, used_nano_usd: used, held_nano_usd: held, leased_nano_usd: leased } = apiKey;
  const { spend_limit_nano_usd: limit, resets_at: resets } = apiKey;
  return (
    <Section
      title="Spent this month"
      lead={
        <>
          {limit === null ? 'A new month begins' : 'The limit resets'} <Timestamp at={resets} />.
        </>
      }
    >
      <Meter label={`Limit of ${name}`} spent={used} held={held} leased={leased} limit={limit} />
    </Section>
  );
}
