import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WebhookJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, deleteWebhook, reloadAlerts, updateWebhook } from '../api/alerts.ts';
import { webhookCommand } from '../components/alert-command.ts';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { paths } from '../paths.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

export interface WebhookActionProps {
  readonly owner: AlertOwner;
  readonly webhook: WebhookJson;
}

/** Sends nothing more to an endpoint, or sends to it again. */
export function WebhookDisable({ owner, webhook }: WebhookActionProps): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { id, enabled } = webhook;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => updateWebhook(owner, webhook, { enabled: !enabled }),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(enabled ? 'The endpoint is disabled.' : 'The endpoint is enabled.');
      await reloadAlerts(queries, owner);
    },
    // It may have been changed since it was read: confirming again changes it as it is then.
    onError: () => reloadAlerts(queries, owner),
  });
  const action = enabled ? 'Disable webhook' : 'Enable webhook';
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{action}</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={enabled ? 'Disable this webhook?' : 'Enable this webhook?'}
        action={action}
        danger={enabled}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">
          {enabled
            ? 'Nothing more is sent to it, and what waits for it is given up. You can enable it again.'
            : 'Alerts from now on are sent to it. Those of before are not.'}
        </p>
        <CommandLine command={webhookCommand.update(owner, id, { enabled: !enabled })} />
      </ConfirmDialog>
    </>
  );
}

/** Deletes an endpoint, and leads to those that are left. */
export function WebhookDelete({ owner, webhook }: WebhookActionProps): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => deleteWebhook(owner, webhook),
    onSuccess: async () => {
      showToast('The endpoint is deleted.');
      await navigate({ href: paths.alertsOf(owner, { tab: 'webhooks' }) });
      await reloadAlerts(queries, owner);
    },
    onError: () => reloadAlerts(queries, owner),
  });
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Delete webhook</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Delete this webhook?"
        action="Delete webhook"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">
          Nothing more is sent to it, and what waits for it is given up. Its secret is gone for good.
        </p>
        <CommandLine command={webhookCommand.remove(owner, webhook.id)} />
      </ConfirmDialog>
    </>
  );
}
