import { type ReactNode, useState } from 'react';
import type { WebhookWithSecretJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { reloadAlerts, rotateWebhook } from '../api/alerts.ts';
import { webhookCommand } from '../components/alert-command.ts';
import { WebhookSecret } from '../components/webhook-secret.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import type { WebhookActionProps } from './webhook-end.tsx';

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

/** Gives an endpoint another secret, which is shown once. */
export function WebhookRotate({ owner, webhook }: WebhookActionProps): ReactNode {
  const [overlap, setOverlap] = useState<Overlap>('24');
  const [rotated, setRotated] = useState<WebhookWithSecretJson | null>(null);
  return (
    <>
      <ConfirmAction
        action="Rotate secret"
        title="Rotate the signing secret?"
        danger={overlap === '0'}
        command={webhookCommand.rotate(owner, webhook.id, overlap)}
        send={() => rotateWebhook(owner, webhook, { overlap_hours: Number(overlap) })}
        onDone={setRotated}
        reload={(queries) => reloadAlerts(queries, owner)}
        isVersioned
      >
        <p>
          Deliveries are signed with both secrets until the former one ends, so that the receiver can change over.
          {webhook.former_secret_until !== null && ' The secret before the present one ends now.'}
        </p>
        <Field label="The former secret signs for">
          <Select value={overlap} onChange={setOverlap} options={OVERLAPS} />
        </Field>
      </ConfirmAction>
      {rotated !== null && (
        <WebhookSecret title="The endpoint has another secret" secret={rotated.secret} onSaved={() => setRotated(null)}>
          <p className="text-control">
            {rotated.former_secret_until === null ? (
              'The former secret has ended.'
            ) : (
              <>
                The former secret signs for another <Countdown until={rotated.former_secret_until} />.
              </>
            )}
          </p>
        </WebhookSecret>
      )}
    </>
  );
}
