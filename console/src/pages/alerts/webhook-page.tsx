import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WebhookJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, webhooksQuery } from '../../api/alerts.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { WebhookDelete, WebhookDisable, WebhookRotate, WebhookTest } from '../../forms/webhook-actions.tsx';
import { WebhookUpdateForm } from '../../forms/webhook-forms.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { DeliverySearch } from './alert-search.ts';
import { DeliveryList } from './deliveries.tsx';
import { commandWords } from '../../components/command-words.ts';
import { WEBHOOK_COMMANDS } from '../../../../src/control/operations/webhook-commands.ts';

/** An endpoint of a workspace, or of the operator, and what was sent to it. */
export function WebhookPage(): ReactNode {
  const { workspace: owner = null } = useParams({ strict: false });
  return owner === null ? <Webhook owner={null} /> : <WorkspaceWebhook workspace={owner} />;
}

function WorkspaceWebhook({ workspace }: { readonly workspace: string }): ReactNode {
  const hidden = useUnavailable(workspace, 'alerts:read', 'see webhooks');
  if (hidden === null) return <Webhook owner={workspace} />;
  return (
    <Page title="Webhook">
      <EmptyState cause={hidden} />
    </Page>
  );
}

function Webhook({ owner }: { readonly owner: AlertOwner }): ReactNode {
  const { webhook: id } = useParams({ strict: false });
  const query = useQuery(webhooksQuery(owner));
  const webhook = query.data?.data.find((each) => each.id === id);
  if (webhook !== undefined) return <LoadedWebhook owner={owner} webhook={webhook} />;
  return (
    <Page title="Webhook">
      <Loaded query={query}>
        {() => (
          <EmptyState
            cause="There is no such webhook: it may have been deleted."
            action={
              <a href={paths.alertsOf(owner, { tab: 'webhooks' })} className={buttonClass()}>
                See all webhooks
              </a>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function LoadedWebhook({ owner, webhook }: { readonly owner: AlertOwner; readonly webhook: WebhookJson }): ReactNode {
  const search: DeliverySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [isChanging, setIsChanging] = useState(false);
  const { id, url, description, enabled, created_at: created, former_secret_until: former } = webhook;
  return (
    <Page
      title={description || new URL(url).host}
      answers="An endpoint that each alert is sent to, and what came of that."
      actions={
        <>
          <WebhookDelete owner={owner} webhook={webhook} />
          <WebhookDisable owner={owner} webhook={webhook} />
          <WebhookRotate owner={owner} webhook={webhook} />
          <Button onClick={() => setIsChanging(true)}>Change webhook</Button>
          <WebhookTest owner={owner} webhook={webhook} />
        </>
      }
    >
      <DefinitionList
        items={[
          { term: 'URL', value: url },
          {
            term: 'Status',
            value: (
              <StatusWord status={enabled ? 'open' : 'off'}>{enabled ? 'on' : 'off: nothing is sent to it'}</StatusWord>
            ),
          },
          { term: 'Added', value: <Timestamp at={created} /> },
          {
            term: 'Signed with',
            value:
              former === null ? (
                'one secret'
              ) : (
                <>
                  two secrets, for another <Countdown until={former} />
                </>
              ),
          },
        ]}
      />
      <CommandLine
        className="mt-4"
        command={commandWords(WEBHOOK_COMMANDS, 'webhook test', { workspace: owner, webhook: id })}
      />
      <Section
        title="Deliveries"
        lead="Of the last 30 days. What fails is tried again for a day, at growing intervals."
      >
        <DeliveryList
          owner={owner}
          webhook={id}
          search={search}
          onSearch={(changed, replace = false) =>
            void navigate({ href: paths.webhook(owner, id, { ...search, ...changed }), replace })
          }
        />
      </Section>
      {isChanging && <WebhookUpdateForm owner={owner} webhook={webhook} onClose={() => setIsChanging(false)} />}
    </Page>
  );
}
