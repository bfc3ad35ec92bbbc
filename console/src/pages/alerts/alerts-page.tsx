import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../components/page.tsx';
import { useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ALERTS_ANSWER, AlertTabs, CREATE_RULE } from './alert-tabs.tsx';

const route = getRouteApi('/in/workspaces/$workspace/alerts');

/** What has crossed a threshold in a workspace, and who is notified of it. */
export function AlertsPage(): ReactNode {
  const { workspace } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const hidden = useUnavailable(workspace, 'alerts:read', 'see alerts');
  const unavailable = useUnavailable(workspace, 'alerts:write', 'create rules');
  if (hidden !== null) {
    return (
      <Page
        title="Alerts"
        answers={ALERTS_ANSWER}
        actions={
          <Button kind="primary" unavailable={unavailable}>
            {CREATE_RULE}
          </Button>
        }
      >
        <EmptyState cause={hidden} />
      </Page>
    );
  }
  return (
    <AlertTabs
      owner={workspace}
      search={search}
      onSearch={(changed, replace = false) =>
        void navigate({ search: (former) => ({ ...former, ...changed }), replace })
      }
      onNavigate={(href) => void navigate({ href })}
    />
  );
}
