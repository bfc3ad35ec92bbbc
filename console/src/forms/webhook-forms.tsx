import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WebhookJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, createWebhook, reloadAlerts, updateWebhook, webhooksQuery } from '../api/alerts.ts';
import { WebhookSecret } from '../components/webhook-secret.tsx';
import { paths } from '../paths.ts';
import { ChangeSheet } from './change-sheet.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { WEBHOOK_COMMANDS } from '../../../src/control/operations/webhook-commands.ts';

/** The typed settings of an endpoint. */
interface WebhookEntry {
  readonly url: string;
  readonly description: string;
}

const entryOf = ({ url, description }: WebhookJson): WebhookEntry => ({ url, description });
const settingsOf = ({ url, description }: WebhookEntry) => ({ url: url.trim(), description: description.trim() });

interface WebhookCreateProps {
  readonly owner: AlertOwner;
  readonly onClose: () => void;
}

/** Adds an endpoint, shows its secret once, and leads to its page. */
export function WebhookCreate({ owner, onClose }: WebhookCreateProps): ReactNode {
  const navigate = useNavigate();
  const [entry, setEntry] = useState<WebhookEntry>({ url: '', description: '' });
  const { url, description } = settingsOf(entry);
  return (
    <ResourceForm
      title="Add webhook"
      description="Its signing secret is shown once, when it is added."
      onClose={onClose}
      dirty={url !== '' || description !== ''}
      action="Add webhook"
      command={commandWords(WEBHOOK_COMMANDS, 'webhook create', { workspace: owner, url, description })}
      send={(once) => createWebhook(owner, { url, description, once })}
      reload={(queries) => reloadAlerts(queries, owner)}
      done={() => 'The endpoint was added, but the answer with its secret was lost. Rotate it to get another.'}
      renderSecret={({ id, secret }) =>
        secret && (
          <WebhookSecret
            title="The webhook endpoint is added"
            secret={secret}
            onSaved={() => void navigate({ href: paths.webhook(owner, id) })}
          />
        )
      }
    >
      <WebhookFields entry={entry} onChange={setEntry} />
    </ResourceForm>
  );
}

interface WebhookUpdateFormProps {
  readonly owner: AlertOwner;
  readonly webhook: WebhookJson;
  readonly onClose: () => void;
}

/** Changes an endpoint. Its secret stays. */
export function WebhookUpdateForm({ owner, webhook, onClose }: WebhookUpdateFormProps): ReactNode {
  const queries = useQueryClient();
  return (
    <ChangeSheet
      kind="webhook"
      noun="endpoint"
      title="Change webhook"
      thing={webhook}
      rules={{ entryOf, settingsOf }}
      renderFields={WebhookFields}
      commandOf={(changes) =>
        commandWords(WEBHOOK_COMMANDS, 'webhook update', { workspace: owner, webhook: webhook.id, ...changes })
      }
      save={(seen, changes) => updateWebhook(owner, seen, changes)}
      done={() => 'The webhook endpoint is changed. What waits for it goes to the URL that it has.'}
      reload={() => reloadAlerts(queries, owner)}
      load={async () => {
        const { data } = await queries.query({ ...webhooksQuery(owner), staleTime: 0 });
        return data.find(({ id }) => id === webhook.id);
      }}
      onClose={onClose}
    />
  );
}

interface WebhookFieldsProps {
  readonly entry: WebhookEntry;
  readonly onChange: (entry: WebhookEntry) => void;
}

function WebhookFields({ entry, onChange }: WebhookFieldsProps): ReactNode {
  return (
    <>
      <TextField
        param="url"
        label="URL"
        help="An https URL of yours that takes a POST of JSON. Each alert of each rule is sent there."
        type="url"
        value={entry.url}
        onChange={(url) => onChange({ ...entry, url })}
        maxLength={2_000}
        spellCheck={false}
        placeholder="https://hooks.example.com/faregate"
      />
      <TextField
        param="description"
        label="Description"
        help="What receives it."
        optional
        value={entry.description}
        onChange={(description) => onChange({ ...entry, description })}
        maxLength={200}
      />
    </>
  );
}
