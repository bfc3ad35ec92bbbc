import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useId } from 'react';
import type { WebhookJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, reloadAlerts, updateWebhook, webhooksQuery } from '../api/alerts.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { webhookCommand } from '../components/alert-command.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useChanges } from './use-changes.ts';
import { WEBHOOK_PARAMS, type WebhookEntry, WebhookFields } from './webhook-fields.tsx';

interface WebhookUpdateFormProps {
  readonly owner: AlertOwner;
  readonly webhook: WebhookJson;
  readonly onClose: () => void;
}

const entryOf = ({ url, description }: WebhookJson): WebhookEntry => ({ url, description });
const settingsOf = ({ url, description }: WebhookEntry) => ({ url: url.trim(), description: description.trim() });

/** Changes an endpoint as it was when the form was opened. Its secret stays. */
export function WebhookUpdateForm({ owner, webhook, onClose }: WebhookUpdateFormProps): ReactNode {
  const form = useId();
  const queries = useQueryClient();
  const { seen, entry, setEntry, changes, isDirty, rebase } = useChanges(webhook, { entryOf, settingsOf });
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => updateWebhook(owner, seen, changes),
    onSuccess: async () => {
      showToast('The webhook endpoint is changed. What waits for it goes to the URL that it has.');
      await reloadAlerts(queries, owner);
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty) mutate();
    else onClose();
  };
  const load = async (): Promise<void> => {
    const { data } = await queries.query({ ...webhooksQuery(owner), staleTime: 0 });
    const now = data.find(({ id }) => id === webhook.id);
    if (now === undefined) onClose();
    else rebase(now);
    reset();
  };
  return (
    <Sheet
      open
      title="Change webhook"
      onClose={onClose}
      dirty={isDirty}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Change webhook
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <WebhookFields entry={entry} onChange={setEntry} error={error} />
        {isVersionConflict(error) ? (
          <VersionConflict thing="endpoint" onLoad={load} />
        ) : (
          <ProblemPanel error={error} except={WEBHOOK_PARAMS} />
        )}
        {isDirty && <CommandLine command={webhookCommand.update(owner, webhook.id, changes)} />}
      </form>
    </Sheet>
  );
}
