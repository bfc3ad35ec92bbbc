import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AlertJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { alertRulesQuery, alertsQuery, webhooksQuery } from '../../api/alerts.ts';
import type { Page as ListPage } from '../../api/client.ts';
import { Page } from '../../components/page.tsx';
import { AlertRuleCreate } from '../../forms/alert-rule-forms.tsx';
import { WebhookCreate } from '../../forms/webhook-forms.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AlertHistory, OpenAlerts } from './alert-lists.tsx';
import type { AlertSearch, AlertsProps } from './alert-search.ts';
import { DeliveryList } from './deliveries.tsx';
import { RuleList } from './rule-list.tsx';
import { WebhookList } from './webhook-list.tsx';

/** What has crossed a threshold in a workspace, or of the instance as a whole, and who is notified of it. */
export function AlertsPage(): ReactNode {
  const { workspace: owner = null } = useParams({ strict: false });
  const search: AlertSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const onSearch = (changed: AlertSearch, replace = false): void =>
    void navigate({ href: paths.alertsOf(owner, { ...search, ...changed }), replace });
  const props = { owner, search, onSearch };
  return owner === null ? <AlertTabs {...props} /> : <WorkspaceAlerts {...props} workspace={owner} />;
}

const ANSWERS = 'What has crossed a threshold, and who is notified of it.';
const CREATE_RULE = 'Create rule';

function WorkspaceAlerts({ workspace, ...props }: AlertsProps & { readonly workspace: string }): ReactNode {
  const hidden = useUnavailable(workspace, 'alerts:read', 'see alerts');
  const unavailable = useUnavailable(workspace, 'alerts:write', 'create rules');
  if (hidden === null) return <AlertTabs {...props} />;
  const create = (
    <Button kind="primary" unavailable={unavailable}>
      {CREATE_RULE}
    </Button>
  );
  return (
    <Page title="Alerts" answers={ANSWERS} actions={create}>
      <EmptyState cause={hidden} />
    </Page>
  );
}

/** Alerts, rules, webhook endpoints and deliveries, each in its tab. */
function AlertTabs(props: AlertsProps): ReactNode {
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
      answers={ANSWERS}
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
        {tab === 'webhooks' && <WebhookList owner={owner} action={addWebhook} />}
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
