import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WebhookJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, webhooksQuery } from '../../api/alerts.ts';
import { webhookCommand } from '../../components/alert-command.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { WebhookDelete, WebhookDisable } from '../../forms/webhook-end.tsx';
import { WebhookRotate } from '../../forms/webhook-rotate.tsx';
import { WebhookTest } from '../../forms/webhook-send.tsx';
import { WebhookUpdateForm } from '../../forms/webhook-update.tsx';
import { paths } from '../../paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { DeliverySearch, OnSearch } from './alert-search.ts';
import { DeliveryList } from './delivery-list.tsx';

interface WebhookViewProps {
  readonly owner: AlertOwner;
  readonly webhook: string;
  readonly search: DeliverySearch;
  readonly onSearch: OnSearch<DeliverySearch>;
  readonly onNavigate: (href: string) => void;
}

/** An endpoint, and what was sent to it. */
export function WebhookView(props: WebhookViewProps): ReactNode {
  const { owner, webhook: id } = props;
  const { data, error, refetch } = useQuery(webhooksQuery(owner));
  const webhook = data?.data.find((each) => each.id === id);
  if (webhook !== undefined) return <LoadedWebhook {...props} webhook={webhook} />;
  return (
    <Page title="Webhook">
      {data === undefined && error === null && <Skeleton className="w-80" />}
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <EmptyState
          cause="There is no such webhook: it may have been deleted."
          action={
            <a href={paths.alertsOf(owner, { tab: 'webhooks' })} className={buttonClass()}>
              See all webhooks
            </a>
          }
        />
      )}
    </Page>
  );
}

function LoadedWebhook({
  webhook,
  ...props
}: Omit<WebhookViewProps, 'webhook'> & { readonly webhook: WebhookJson }): ReactNode {
  const { owner } = props;
  const [isChanging, setIsChanging] = useState(false);
  const { url, description, enabled, created_at: created, former_secret_until: former } = webhook;
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
            value: enabled ? (
              <StatusWord status="open">on</StatusWord>
            ) : (
              <StatusWord status="off">off: nothing is sent to it</StatusWord>
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
      <div className="mt-4">
        <CommandLine command={webhookCommand.test(owner, webhook.id)} />
      </div>
      <Section
        title="Deliveries"
        lead="Of the last 30 days. What fails is tried again for a day, at growing intervals."
      >
        <DeliveryList {...props} webhook={webhook.id} />
      </Section>
      {isChanging && <WebhookUpdateForm owner={owner} webhook={webhook} onClose={() => setIsChanging(false)} />}
    </Page>
  );
}
