import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../components/page.tsx';
import { useUnavailable } from '../../session/access.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { WebhookView } from './webhook-view.tsx';

const route = getRouteApi('/in/workspaces/$workspace/alerts/webhooks/$webhook');

export function WebhookPage(): ReactNode {
  const { workspace, webhook } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const hidden = useUnavailable(workspace, 'alerts:read', 'see webhooks');
  if (hidden !== null) {
    return (
      <Page title="Webhook">
        <EmptyState cause={hidden} />
      </Page>
    );
  }
  return (
    <WebhookView
      owner={workspace}
      webhook={webhook}
      search={search}
      onSearch={(changed, replace = false) =>
        void navigate({ search: (former) => ({ ...former, ...changed }), replace })
      }
      onNavigate={(href) => void navigate({ href })}
    />
  );
}
