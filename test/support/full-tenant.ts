import { randomUUID } from 'node:crypto';
import { setEndUserLimit } from '../../src/control/accounts/end-users.ts';
import { createRecurringGrant } from '../../src/control/ledger/recurring-grants.ts';
import { makeChange } from '../../src/control/audit/change.ts';
import { createAlertRule } from '../../src/control/alerts/alert-rules.ts';
import { sendTestWebhook } from '../../src/control/alerts/deliveries.ts';
import { TargetNetwork } from '../../src/lib/target-network.ts';
import { createWebhookEndpoint } from '../../src/control/alerts/webhook-endpoints.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { makeDirectoryToken } from '../../src/control/identity/directory/directory-tokens.ts';
import { addDomain } from '../../src/control/identity/workspace-domains.ts';
import { recordOf } from '../../src/control/refusals/recorded-refusal.ts';
import { writeRefusals } from '../../src/control/refusals/refusal-store.ts';
import { type Account, granted, openAccount, Spender } from './accounts.ts';
import { addMember, type Person, signedIn } from './identity.ts';
import { principalOf, refusedRequest } from './refused-requests.ts';
import { testKeyring } from './keyring.ts';
import { scopeOf } from './scopes.ts';

/** The end user with a limit of their own. */
const END_USER = 'ada';

/** A workspace with one of each thing that a path of the admin API may name. */
export interface FullTenant extends Account {
  readonly owner: Person;
  readonly viewer: Person;
  readonly requestId: string;
  readonly invitationId: string;
  readonly domain: string;
  readonly ruleId: string;
  readonly webhookId: string;
  /** Waits to be sent. */
  readonly deliveryId: string;
  /** Of the audit log. */
  readonly eventId: string;
  readonly grantId: string;
  readonly endUserId: string;
}

export async function openFullTenant(sql: Sql): Promise<FullTenant> {
  const account = await openAccount(sql, { credit: 1_000n });
  const { id } = account.workspace;
  const spender = await Spender.begin(sql);
  const { requestId } = await spender.spend(account, { hold: 30n, charge: 20n });
  await spender.end();
  const caller = principalOf(account);
  // Under the id of the receipt, so that one id names both.
  const refusal = recordOf(refusedRequest(caller, 'MODEL_NOT_FOUND', { requestId }), caller, Date.now());
  await writeRefusals(sql, { records: [refusal], unrecorded: new Map() });
  const viewer = await signedIn(sql, { roles: { [id]: 'viewer' } });
  const owner = await signedIn(sql);
  await addMember(sql, id, owner.userId, 'owner');
  const invitationId = randomUUID();
  await sql.query(
    `insert into invitations (id, workspace_id, email, role, token_sha256, mailed, expires_at)
     values ($1, $2, $3, 'viewer', $4, false, now() + interval '1 day')`,
    [invitationId, id, `${invitationId}@example.com`, Buffer.from(invitationId)],
  );
  const domain = `d-${randomUUID()}.example`;
  granted(await addDomain(sql, scopeOf(id), domain));
  granted(await makeDirectoryToken(sql, scopeOf(id)));
  const rule = { name: 'Low', kind: 'balance_below', threshold: 1n, subjectId: null } as const;
  const { id: ruleId } = granted(
    await createAlertRule(sql, scopeOf(id), { ...rule, mailRoles: [], mailTo: [], enabled: true }),
  );
  const { endpoint } = granted(
    await createWebhookEndpoint(
      sql,
      scopeOf(id),
      { url: 'https://hooks.example/faregate', description: '' },
      { network: new TargetNetwork([]), keyring: testKeyring(sql) },
    ),
  );
  const { id: deliveryId } = granted(await sendTestWebhook(sql, scopeOf(id), endpoint.id));
  const [event] = await sql.query<{ id: string }>('select id from audit_events where workspace_id = $1 limit 1', [id]);
  if (event === undefined) throw new Error('the rule left no audit event');
  const plan = { amount: 5n, period: 'month', expires: 'with_period', expiresAfterDays: null, starts: 'now' } as const;
  const { id: grantId } = granted(
    await makeChange(sql, (tx) => createRecurringGrant(tx, scopeOf(id), { ...plan, reason: 'a plan' })),
  );
  const { id: endUserId } = granted(
    await makeChange(sql, (tx) =>
      setEndUserLimit(tx, scopeOf(id), { projectId: account.project.id, name: END_USER, limit: 5n }),
    ),
  );
  const [webhookId, eventId] = [endpoint.id, event.id];
  return {
    ...account,
    owner,
    viewer,
    requestId,
    invitationId,
    domain,
    ruleId,
    webhookId,
    deliveryId,
    eventId,
    grantId,
    endUserId,
  };
}

/** The tenant's things by the names of path parameters. What it has none of is a thing that does not exist. */
export function thingsOf(tenant: FullTenant): Readonly<Record<string, string>> {
  const nowhere = randomUUID();
  return {
    workspace: tenant.workspace.id,
    project: tenant.project.id,
    key: tenant.key.id,
    request_id: tenant.requestId,
    user: tenant.viewer.userId,
    invitation: tenant.invitationId,
    domain: tenant.domain,
    rule: tenant.ruleId,
    webhook: tenant.webhookId,
    event: tenant.eventId,
    delivery: tenant.deliveryId,
    grant: tenant.grantId,
    endUser: tenant.endUserId,
    name: END_USER,
    sink: nowhere,
    top_up: nowhere,
    model: nowhere,
  };
}
