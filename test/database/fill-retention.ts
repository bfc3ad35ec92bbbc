import { randomUUID } from 'node:crypto';
import { dropAuditEvents } from '../../src/control/audit/drop-events.ts';
import { eraseUser } from '../../src/control/identity/erase-user.ts';
import { completeTurn, takeTurn } from '../../src/control/schedules/scheduled-work.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { granted, openWorkspace } from '../support/accounts.ts';
import { signedIn } from '../support/identity.ts';
import { operatorScope } from '../support/scopes.ts';
import { UNPACED } from '../support/verify-ledger.ts';

const DAY_MS = 86_400_000;

/** Somebody who was erased, an audit event that was dropped, a week that was exported, and a backup that was written. */
export async function fillRetention(sql: Sql, workspaceId: string): Promise<void> {
  const leaver = await signedIn(sql, { email: 'leaver@example.com', roles: { [workspaceId]: 'viewer' } });
  granted(await eraseUser({ sql, pacer: UNPACED }, operatorScope(), leaver.userId, { leavesOwnerless: false }));
  const { id } = await openWorkspace(sql, 'long ago');
  await sql.query(
    `insert into audit_events (id, workspace_id, at, actor_kind, actor_name, action, target_kind, target_id)
     values (gen_random_uuid(), $1, now() - interval '100 days', 'job', 'test', 'project.update', 'project', 'p')`,
    [id],
  );
  await dropAuditEvents({ sql, pacer: UNPACED }, new Date(Date.now() - 50 * DAY_MS));
  await sql.query(
    `update sealed_partitions set exported_at = now(), export_file = '/exports/' || name, export_sha256 = sha256('')`,
  );
  const turn = { name: 'backup', at: new Date(Date.now() - DAY_MS), holder: randomUUID() } as const;
  await takeTurn(sql, turn);
  await completeTurn(sql, turn, { file: '/backups/one', bytes: 1, verified: true });
}
