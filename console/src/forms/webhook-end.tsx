import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WebhookJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, deleteWebhook, reloadAlerts, updateWebhook } from '../api/alerts.ts';
import { webhookCommand } from '../components/alert-command.ts';
import { paths } from '../paths.ts';
import { ConfirmAction } from './confirm-action.tsx';

export interface WebhookActionProps {
  readonly owner: AlertOwner;
  readonly webhook: WebhookJson;
}

/** Sends nothing more to an endpoint, or sends to it again. */
export function WebhookDisable({ owner, webhook }: WebhookActionProps): ReactNode {
  const { id, enabled } = webhook;
  return (
    <ConfirmAction
      action={enabled ? 'Disable webhook' : 'Enable webhook'}
      title={enabled ? 'Disable this webhook?' : 'Enable this webhook?'}
      danger={enabled}
      command={webhookCommand.update(owner, id, { enabled: !enabled })}
      send={() => updateWebhook(owner, webhook, { enabled: !enabled })}
      done={(changed) => `The endpoint is ${changed.enabled ? 'enabled' : 'disabled'}.`}
      reload={(queries) => reloadAlerts(queries, owner)}
      isVersioned
    >
      {enabled
        ? 'Nothing more is sent to it, and what waits for it is given up. You can enable it again.'
        : 'Alerts from now on are sent to it. Those of before are not.'}
    </ConfirmAction>
  );
}

/** Deletes an endpoint, and leads to those that are left. */
export function WebhookDelete({ owner, webhook }: WebhookActionProps): ReactNode {
  const navigate = useNavigate();
  return (
    <ConfirmAction
      action="Delete webhook"
      title="Delete this webhook?"
      command={webhookCommand.remove(owner, webhook.id)}
      send={() => deleteWebhook(owner, webhook)}
      done={() => 'The endpoint is deleted.'}
      onDone={() => navigate({ href: paths.alertsOf(owner, { tab: 'webhooks' }) })}
      reload={(queries) => reloadAlerts(queries, owner)}
      isVersioned
    >
      Nothing more is sent to it, and what waits for it is given up. Its secret is gone for good.
    </ConfirmAction>
  );
}
