import { createAlertRule } from '../../src/control/alerts/alert-rules.ts';
import { AlertWatch } from '../../src/control/alerts/alert-watch.ts';
import { queueMail } from '../../src/control/alerts/mail-queue.ts';
import { TargetNetwork } from '../../src/lib/target-network.ts';
import { createWebhookEndpoint, rotateWebhookSecret } from '../../src/control/alerts/webhook-endpoints.ts';
import type { ControlSql } from '../../src/lib/control-sql.ts';
import { granted } from '../support/accounts.ts';
import { testKeyring } from '../support/keyring.ts';
import { scopeOf } from '../support/scopes.ts';
import { UNPACED } from '../support/verify-ledger.ts';

/** Rules of a workspace and of the operator, an endpoint whose secret is rotated, an alert, and notices that wait. */
export async function fillAlerts(sql: ControlSql, workspaceId: string): Promise<void> {
  const scope = scopeOf(workspaceId, 'alerts:write');
  const keyring = testKeyring(sql);
  const settings = { url: 'https://hooks.example/', description: 'ours' };
  const { endpoint } = granted(
    await createWebhookEndpoint(sql, scope, settings, { network: new TargetNetwork([]), keyring }),
  );
  granted(await rotateWebhookSecret(sql, keyring, scope, { id: endpoint.id, overlapHours: 24, version: null }));
  const notified = { subjectId: null, mailRoles: ['owner'], mailTo: ['ops@example.com'], enabled: true } as const;
  granted(
    await createAlertRule(sql, scope, {
      name: 'much',
      kind: 'balance_below',
      threshold: 1_000_000_000_000n,
      ...notified,
    }),
  );
  const notifying = { canMail: true, addressesOf: () => Promise.resolve(['owner@example.com']) };
  await new AlertWatch({ sql, pacer: UNPACED, notifying }).run();
  await queueMail(sql, { to: 'new@example.com', subject: 'Reset', text: 'link', once: 'reset 1', isSecret: true });
}
