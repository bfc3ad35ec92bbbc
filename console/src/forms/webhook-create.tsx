import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { type AlertOwner, createWebhook, reloadAlerts } from '../api/alerts.ts';
import { useOnce } from '../api/once.ts';
import { webhookCommand } from '../components/alert-command.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { WebhookSecret } from '../components/webhook-secret.tsx';
import { paths } from '../paths.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { WEBHOOK_PARAMS, WebhookFields } from './webhook-fields.tsx';

interface WebhookCreateProps {
  readonly owner: AlertOwner;
  readonly onClose: () => void;
}

interface ShownSecret {
  readonly id: string;
  readonly secret: string;
}

/** Adds an endpoint, shows its secret once, and leads to its page. */
export function WebhookCreate({ owner, onClose }: WebhookCreateProps): ReactNode {
  const form = useId();
  const once = useOnce();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [entry, setEntry] = useState({ url: '', description: '' });
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const [url, description] = [entry.url.trim(), entry.description.trim()];
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createWebhook(owner, { url, description, once }),
    // The secret stays in no cache.
    gcTime: 0,
    onSuccess: async ({ id, secret }) => {
      if (secret === null) {
        showToast('The endpoint was added, but the answer with its secret was lost. Rotate it to get another.');
        onClose();
      } else {
        setShown({ id, secret });
      }
      await reloadAlerts(queries, owner);
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate();
  };
  if (shown !== null) {
    return (
      <WebhookSecret
        title="The webhook endpoint is added"
        secret={shown.secret}
        onSaved={() => void navigate({ href: paths.webhook(owner, shown.id) })}
      />
    );
  }
  return (
    <Sheet
      open
      title="Add webhook"
      description="Its signing secret is shown once, when it is added."
      onClose={onClose}
      dirty={url !== '' || description !== ''}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Add webhook
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <WebhookFields entry={entry} onChange={setEntry} error={error} />
        <ProblemPanel error={error} except={WEBHOOK_PARAMS} />
        <CommandLine command={webhookCommand.create(owner, url, description)} />
      </form>
    </Sheet>
  );
}
