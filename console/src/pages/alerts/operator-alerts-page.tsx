import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AlertTabs } from './alert-tabs.tsx';

const route = getRouteApi('/in/operators/operator/alerts');

/** The alerts of the instance: refused provider keys, the ledger, payments for closed workspaces. */
export function OperatorAlertsPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AlertTabs
      owner={null}
      search={search}
      onSearch={(changed, replace = false) =>
        void navigate({ search: (former) => ({ ...former, ...changed }), replace })
      }
      onNavigate={(href) => void navigate({ href })}
    />
  );
}
