import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, reloadAlerts, resendDelivery, testWebhook } from '../api/alerts.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import type { WebhookActionProps } from './webhook-end.tsx';

/** Sends a test to an endpoint; its outcome comes into the list of deliveries. */
export function WebhookTest({ owner, webhook }: WebhookActionProps): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => testWebhook(owner, webhook.id),
    onSuccess: async () => {
      showToast('A test is on its way. Its outcome is listed within seconds.');
      await reloadAlerts(queries, owner);
    },
    onError: (error) => showToast(error.message, 'failed'),
  });
  const disabled = webhook.enabled ? null : 'It is disabled: nothing is sent to it.';
  return (
    <Button kind="primary" busy={isPending} onClick={() => mutate()} unavailable={disabled}>
      Send test
    </Button>
  );
}

interface DeliveryResendProps {
  readonly owner: AlertOwner;
  readonly delivery: DeliveryJson;
}

/** Sends a delivery again that was sent or given up. */
export function DeliveryResend({ owner, delivery }: DeliveryResendProps): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => resendDelivery(owner, delivery.id),
    onSuccess: async () => {
      showToast('It is sent again, under the same id.');
      await reloadAlerts(queries, owner);
    },
    onError: (error) => showToast(error.message, 'failed'),
  });
  const waits = delivery.state === 'waiting' ? 'It is being sent already.' : null;
  return (
    <Button
      kind="quiet"
      busy={isPending}
      onClick={() => mutate()}
      aria-label={`Send again to ${delivery.recipient}`}
      unavailable={waits}
    >
      Send again
    </Button>
  );
}
