import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { alertRulesQuery, alertsQuery, webhooksQuery } from '../../api/alerts.ts';
import type { AlertJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import type { Page as ListPage } from '../../api/client.ts';
import { Page } from '../../components/page.tsx';
import { AlertRuleCreate } from '../../forms/alert-rule-create.tsx';
import { WebhookCreate } from '../../forms/webhook-create.tsx';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AlertHistory } from './alert-history.tsx';
import type { AlertsProps } from './alert-search.ts';
import { DeliveryList } from './delivery-list.tsx';
import { OpenAlerts } from './open-alerts.tsx';
import { RuleList } from './rule-list.tsx';
import { WebhookList } from './webhook-list.tsx';

export const ALERTS_ANSWER = 'What has crossed a threshold, and who is notified of it.';
export const CREATE_RULE = 'Create rule';

/** Alerts, rules, webhook endpoints and deliveries, each in its tab. */
export function AlertTabs(props: AlertsProps): ReactNode {
  const { owner, search, onSearch } = props;
  const { tab = 'alerts', create } = search;
  const open = useInfiniteQuery(alertsQuery(owner, { isOpen: true, rule: null }));
  const rules = useQuery({ ...alertRulesQuery(owner), enabled: tab === 'rules' }).data?.data;
  const webhooks = useQuery({ ...webhooksQuery(owner), enabled: tab === 'webhooks' }).data?.data;
  const isEmpty = (tab === 'rules' ? rules : tab === 'webhooks' ? webhooks : undefined)?.length === 0;
  const close = (): void => onSearch({ create: undefined }, true);
  const createRule = owner !== null && (
    <Button kind="primary" onClick={() => onSearch({ create: 'rule' })}>
      {CREATE_RULE}
    </Button>
  );
  const addWebhook = (
    <Button kind="primary" onClick={() => onSearch({ create: 'webhook' })}>
      Add webhook
    </Button>
  );
  const tabs = [
    { id: 'alerts', label: 'Alerts', count: open.data === undefined ? undefined : openCount(open.data.pages) },
    { id: 'rules', label: 'Rules' },
    { id: 'webhooks', label: 'Webhooks' },
    { id: 'deliveries', label: 'Deliveries' },
  ] as const;
  return (
    <Page
      title={owner === null ? 'Instance alerts' : 'Alerts'}
      answers={ALERTS_ANSWER}
      actions={isEmpty ? undefined : tab === 'webhooks' ? addWebhook : createRule}
    >
      <Tabs
        label="Alerts and who is notified"
        tabs={tabs}
        selected={tab}
        onSelect={(next) => onSearch({ tab: next === 'alerts' ? undefined : next, change: undefined })}
      >
        {tab === 'alerts' && (
          <>
            <OpenAlerts owner={owner} />
            <AlertHistory {...props} />
          </>
        )}
        {tab === 'rules' && <RuleList {...props} action={createRule} />}
        {tab === 'webhooks' && <WebhookList {...props} action={addWebhook} />}
        {tab === 'deliveries' && <DeliveryList {...props} webhook={null} />}
      </Tabs>
      {create === 'rule' && owner !== null && <AlertRuleCreate workspace={owner} onClose={close} />}
      {create === 'webhook' && <WebhookCreate owner={owner} onClose={close} />}
    </Page>
  );
}

/** How many alerts are open; undefined if there are none, or more than a page. */
function openCount([first]: readonly ListPage<AlertJson>[]): number | undefined {
  return first === undefined || first.next_cursor !== null || first.data.length === 0 ? undefined : first.data.length;
}
