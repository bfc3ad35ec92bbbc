import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { WebhookView } from './webhook-view.tsx';

const route = getRouteApi('/in/operators/operator/alerts/webhooks/$webhook');

export function OperatorWebhookPage(): ReactNode {
  const { webhook } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <WebhookView
      owner={null}
      webhook={webhook}
      search={search}
      onSearch={(changed, replace = false) =>
        void navigate({ search: (former) => ({ ...former, ...changed }), replace })
      }
      onNavigate={(href) => void navigate({ href })}
    />
  );
}
