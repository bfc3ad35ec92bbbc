import type { Act } from '../../domain/actor.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { newId } from '../../lib/uuid7.ts';
import { INSTANCE_CHAIN, recordAudit } from './audit.ts';

// Audit events that are older than they are kept. A chain loses its oldest events, never one in between: it says up to where,
// and an event of the chain says so too, with the hash there. The links of dropped events stay, so that the chain can be
// verified from its beginning, and an exported event can be compared with its link.

const EVENTS_PER_STEP = 1_000;
const CHAINS_PER_PAGE = 200;
const DAY_MS = 86_400_000;
/** Events are dropped some at a time, since each drop leaves an event. */
const SLACK_MS = 7 * DAY_MS;

const BY_RETENTION: Act = { actor: { kind: 'job', name: 'retention' }, address: null, requestId: null };

interface DropParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
}

/**
 * Drops the events before this time of each chain whose oldest event is a week older. Each step is a transaction, so a program
 * that dies leaves no chain halfway. Returns how many were dropped. @throws DatabaseUnavailable
 */
export async function dropAuditEvents({ sql, pacer }: DropParts, before: Date): Promise<number> {
  let dropped = 0;
  for await (const scopeId of chains({ sql, pacer })) {
    let least = new Date(before.getTime() - SLACK_MS);
    for (;;) {
      const limits = { before, least };
      const events = await pacer.slice(() => sql.transaction((tx) => dropStep(tx, scopeId, limits)));
      dropped += events;
      if (events < EVENTS_PER_STEP) break;
      least = before;
    }
  }
  return dropped;
}

async function* chains({ sql, pacer }: DropParts): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const last: string | null = after;
    const page: readonly { readonly id: string }[] = await pacer.slice(() =>
      sql.query<{ id: string }>(
        `select scope_id as id from audit_chains where ($1::uuid is null or scope_id > $1) and not exists (
           select from workspaces w where w.id = scope_id and (w.paused_at is not null or w.moved_to is not null)
         )
         order by scope_id limit ${CHAINS_PER_PAGE}`,
        [last],
      ),
    );
    for (const { id } of page) yield id;
    after = page.at(-1)?.id ?? null;
  } while (after !== null);
}

interface Link {
  readonly position: bigint;
  readonly eventId: string;
  readonly chainSha256: string;
  /** Null: the event isn't there, which is for the proof to find. */
  readonly at: Date | null;
}

/** Drops the next events of a chain, if the first of them is older than `least`; returns how many. */
async function dropStep(
  tx: SqlRunner,
  scopeId: string,
  { before, least }: { readonly before: Date; readonly least: Date },
): Promise<number> {
  const links = await tx.query<Link>(
    `select position, event_id as "eventId", encode(audit_links.chain_sha256, 'hex') as "chainSha256", at
     from audit_links left join audit_events on audit_events.id = event_id
     where scope_id = $1 and position > (select dropped_to from audit_chains where audit_chains.scope_id = $1)
     order by position limit ${EVENTS_PER_STEP}`,
    [scopeId],
  );
  const [first] = links;
  if (first === undefined || first.at === null || first.at >= least) return 0;
  const end = links.findIndex(({ at }) => at === null || at >= before);
  const old = end === -1 ? links : links.slice(0, end);
  const last = old.at(-1);
  assert(last !== undefined, 'the first of them is old');
  const eventIds = old.map(({ eventId }) => eventId);
  const [moved] = await tx.query(
    `update audit_chains set dropped_to = $2 where scope_id = $1 and dropped_to = $3 returning scope_id`,
    [scopeId, last.position, first.position - 1n],
  );
  if (moved === undefined) return 0;
  await tx.query('delete from audit_events where id = any ($1)', [eventIds]);
  await tx.query('delete from audit_redactions where by_event = any ($1)', [eventIds]);
  const by = newId();
  await recordAudit(tx, chainScope(scopeId), {
    id: by,
    action: 'audit.drop',
    target: { kind: 'audit_chain', id: scopeId },
    after: { position: last.position.toString(), chain_sha256: last.chainSha256, events: old.length },
  });
  await tx.query('update audit_chains set dropped_by = $2 where scope_id = $1', [scopeId, by]);
  return old.length;
}

function chainScope(scopeId: string): Parameters<typeof recordAudit>[1] {
  if (scopeId === INSTANCE_CHAIN) return BY_RETENTION;
  const scope = authorise(BY_RETENTION, 'audit:read', scopeId);
  assert(!isRefusal(scope), 'a job may do everything');
  return scope;
}
