import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { burnQuery } from '../../api/workspaces.ts';
import { formatRunway, runwayDays } from '../../components/runway.ts';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { formatTime } from '../../format/time.ts';
import { Money } from '../../ui/money.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** What the workspace can spend, how long it lasts, and what is held, leased and owed. */
export function CreditStanding({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const { id, balance_nano_usd: balance, owed_nano_usd: owed } = workspace;
  const burn = useQuery(burnQuery(id)).data;
  const days = burn === undefined ? null : runwayDays(BigInt(balance), burn);
  const hidesAlerts = useUnavailable(id, 'alerts:read', 'see alerts') !== null;
  return (
    <section aria-label="Balance" className="mb-8">
      <p className={`tabular text-hero font-semibold ${BigInt(balance) <= 0n ? 'text-danger-text' : ''}`}>
        <Money amount={balance} />
      </p>
      <p className="mt-1 text-body text-text-2">
        {BigInt(balance) <= 0n ? (
          'No credit is left, so requests are refused until some is added.'
        ) : days === null ? (
          'Nothing was spent in the last seven days.'
        ) : (
          <>Lasts {formatRunway(days)} at what the last seven days cost.</>
        )}{' '}
        {workspace.expires_at !== null && <Expiring workspace={workspace} at={workspace.expires_at} />}{' '}
        {!hidesAlerts && <TextLink href={paths.alerts(id)}>Get an alert before it runs out</TextLink>}
      </p>
      <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-control">
        <Part term="Held" amount={workspace.held_nano_usd} />
        <Part term="Leased, including holds" amount={workspace.leased_nano_usd} />
        <Part term={owed === '0' ? 'Owed' : 'Owed, repaid by the next credit'} amount={owed} isBad={owed !== '0'} />
      </dl>
    </section>
  );
}

function Expiring({ workspace, at }: { readonly workspace: WorkspaceJson; readonly at: string }): ReactNode {
  const [now] = useState(() => new Date());
  return `Of it, ${formatMoney(workspace.expiring_nano_usd)} expires ${formatTime(new Date(at), now)}.`;
}

interface PartProps {
  readonly term: string;
  readonly amount: string | bigint;
  readonly isBad?: boolean;
}

function Part({ term, amount, isBad = false }: PartProps): ReactNode {
  return (
    <div>
      <dt className="text-text-3">{term}</dt>
      <dd className={`tabular font-medium ${isBad ? 'text-danger-text' : ''}`}>
        <Money amount={amount} />
      </dd>
    </div>
  );
}
