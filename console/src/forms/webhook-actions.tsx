import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeliveryJson, WebhookJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import {
  type AlertOwner,
  deleteWebhook,
  reloadAlerts,
  resendDelivery,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from '../api/alerts.ts';
import { WebhookSecret } from '../components/webhook-secret.tsx';
import { paths } from '../paths.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { SecretRotate } from './secret-rotate.tsx';
import { SendButton } from './send-button.tsx';
import { commandWords } from '../components/command-words.ts';
import { WEBHOOK_COMMANDS } from '../../../src/control/operations/webhook-commands.ts';

interface WebhookActionProps {
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
      command={commandWords(WEBHOOK_COMMANDS, 'webhook update', { workspace: owner, webhook: id, enabled: !enabled })}
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
      command={commandWords(WEBHOOK_COMMANDS, 'webhook delete', { workspace: owner, webhook: webhook.id })}
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

/** Gives an endpoint another secret. */
export function WebhookRotate({ owner, webhook }: WebhookActionProps): ReactNode {
  return (
    <SecretRotate
      action="Rotate secret"
      title="Rotate the signing secret?"
      verb="signs"
      hasFormer={webhook.former_secret_until !== null}
      hoursMax={168}
      commandOf={(overlap) =>
        commandWords(WEBHOOK_COMMANDS, 'webhook rotate', {
          workspace: owner,
          webhook: webhook.id,
          overlap_hours: overlap,
        })
      }
      rotate={(hours) => rotateWebhook(owner, webhook, { overlap_hours: hours })}
      reload={(queries) => reloadAlerts(queries, owner)}
      renderSecret={({ secret }, note, close) => (
        <WebhookSecret title="The endpoint has another secret" secret={secret} onSaved={close}>
          {note}
        </WebhookSecret>
      )}
    >
      Deliveries are signed with both secrets until the former one ends, so that the receiver can change over.
    </SecretRotate>
  );
}

/** Sends a test to an endpoint; its outcome comes into the list of deliveries. */
export function WebhookTest({ owner, webhook: { id, enabled } }: WebhookActionProps): ReactNode {
  return (
    <SendButton
      kind="primary"
      unavailable={enabled ? null : 'It is disabled: nothing is sent to it.'}
      send={() => testWebhook(owner, id)}
      done={() => 'A test is on its way. Its outcome is listed within seconds.'}
      reload={(queries) => reloadAlerts(queries, owner)}
    >
      Send test
    </SendButton>
  );
}

interface DeliveryResendProps {
  readonly owner: AlertOwner;
  readonly delivery: DeliveryJson;
}

/** Sends a delivery again that was sent or given up. */
export function DeliveryResend({ owner, delivery: { id, recipient, state } }: DeliveryResendProps): ReactNode {
  return (
    <SendButton
      kind="quiet"
      aria-label={`Send again to ${recipient}`}
      unavailable={state === 'waiting' ? 'It is being sent already.' : null}
      send={() => resendDelivery(owner, id)}
      done={() => 'It is sent again, under the same id.'}
      reload={(queries) => reloadAlerts(queries, owner)}
    >
      Send again
    </SendButton>
  );
}
