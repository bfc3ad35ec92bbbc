import { createHash } from 'node:crypto';
import type { Act } from '../../domain/actor.ts';
import { erasedAddress, ERASED_NAME } from '../../domain/erased.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { ID_BEFORE_ALL, leastUuid7At, newId } from '../../lib/uuid7.ts';
import { type AuditedFields, INSTANCE_CHAIN, recordAudit } from './audit.ts';
import { changeRemains } from './remains.ts';

// The erasure of a person from audit events. Their links keep the digests that the events were recorded with, so the chains
// stay as they are. The digest of each event as it is from then on is noted down, and a fresh event of the same chain has the
// digest of these notes: the proof finds a change of an event that isn't in such a note, and a change of a note.

/** About 20 ms. */
const EVENTS_PER_SLICE = 2_000;

export interface ErasedPerson {
  readonly userId: string;
  /** By which events name the person as their target. */
  readonly ids: readonly string[];
  /** The present one and former ones, in lower case. */
  readonly addresses: readonly string[];
}

interface ScannedEvent {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly userId: string | null;
  readonly targetKind: string;
  readonly targetId: string;
  readonly actorName: string;
  readonly targetName: string | null;
  readonly before: AuditedFields | null;
  readonly after: AuditedFields | null;
  readonly address: string | null;
}

/** The columns of an event in which people are named. */
interface NamingColumns {
  readonly actor_name: string;
  readonly target_name: string | null;
  readonly before: AuditedFields | null;
  readonly after: AuditedFields | null;
  readonly address: string | null;
}

/** A slice of the events: where it ended, and those in it that may name the person. */
interface Slice {
  readonly last: string | null;
  readonly events: readonly ScannedEvent[];
}

const SCAN = `
  with slice as materialized (
    select * from audit_events where id > $1 order by id limit ${EVENTS_PER_SLICE}
  )
  select (select id from slice order by id desc limit 1) as last, coalesce((
    select jsonb_agg(jsonb_build_object('id', id, 'workspaceId', workspace_id, 'userId', user_id, 'targetKind', target_kind,
      'targetId', target_id, 'actorName', actor_name, 'targetName', target_name, 'before', before, 'after', after,
      'address', address) order by id)
    from slice
    where user_id = $2 or target_id = any ($3) or exists (
      select from unnest($4::text[]) address
      where strpos(lower(concat_ws(' ', actor_name, target_name, before::text, after::text)), address) > 0
    )
  ), '[]') as events`;

/**
 * Erases a person from the next slice of the events, those after the given id, by an act that is recorded in each chain
 * concerned. Returns where the slice ended, null at the end of all, and the number of events that were changed.
 */
export async function redactSlice(
  tx: SqlRunner,
  by: Act,
  person: ErasedPerson,
  after: string,
): Promise<{ readonly last: string | null; readonly events: number }> {
  await changeRemains(tx);
  const [slice] = await tx.query<Slice>(SCAN, [after, person.userId, person.ids, person.addresses]);
  assert(slice !== undefined, 'a slice is one row');
  const redacted = slice.events.flatMap((event) => {
    const columns = withoutPerson(event, person);
    return columns === null ? [] : [{ id: event.id, workspaceId: event.workspaceId, columns }];
  });
  const chains = [...Map.groupBy(redacted, (each) => each.workspaceId)];
  // In one order, so that of two erasures none waits for the other in a circle.
  for (const [workspaceId, events] of chains.toSorted(([a], [b]) => (a ?? '').localeCompare(b ?? ''))) {
    await redactInChain(tx, { by, workspaceId, userId: person.userId }, events);
  }
  return { last: slice.last, events: redacted.length };
}

/** The least id of an event that is recorded from now on, by any process whose clock is a minute behind at most. */
export function eventsFrom(nowMs: number): string {
  return leastUuid7At(nowMs - 60_000);
}

/** The columns without the person; null if there is nothing to change. */
function withoutPerson(event: ScannedEvent, { userId, ids, addresses }: ErasedPerson): NamingColumns | null {
  const placeholder = erasedAddress(userId);
  const clean = (text: string): string =>
    addresses.reduce((cleaned, address) => withoutAddress(cleaned, address, placeholder), text);
  const isActor = event.userId === userId;
  const isTarget = ids.includes(event.targetId) && PEOPLE.has(event.targetKind);
  const fields = (given: AuditedFields | null): AuditedFields | null => given && fieldsWithout(given, clean, isTarget);
  const columns: NamingColumns = {
    actor_name: isActor ? placeholder : clean(event.actorName),
    target_name: event.targetName && (isTarget ? placeholder : clean(event.targetName)),
    before: fields(event.before),
    after: fields(event.after),
    address: isActor ? null : event.address,
  };
  const was: NamingColumns = {
    actor_name: event.actorName,
    target_name: event.targetName,
    before: event.before,
    after: event.after,
    address: event.address,
  };
  return JSON.stringify(columns) === JSON.stringify(was) ? null : columns;
}

/** The kinds of targets that are people. */
const PEOPLE = new Set(['user', 'member', 'directory_user']);

/** Of what is recorded of an account, all texts but these name the person, or what they are called elsewhere. */
const IMPERSONAL = new Set(['role', 'issuer']);

function fieldsWithout(given: AuditedFields, clean: (text: string) => string, isTarget: boolean): AuditedFields {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]): [string, AuditedFields[string]] => {
      if (typeof value === 'object' && value !== null) return [name, value.map(clean)];
      if (typeof value !== 'string') return [name, value];
      return [name, isTarget && !IMPERSONAL.has(name) ? ERASED_NAME : clean(value)];
    }),
  );
}

/** What an address may have before or behind it that makes it another one. */
const LONGER_BEFORE = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]$/u;
const LONGER_BEHIND = /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u;

/** The text with a placeholder for an address, which is in lower case; not where it is a part of a longer one. */
function withoutAddress(text: string, email: string, placeholder: string): string {
  const lower = text.toLowerCase();
  // Some letters become two.
  const searched = lower.length === text.length ? lower : text;
  let cleaned = '';
  let from = 0;
  for (let at = searched.indexOf(email); at !== -1; at = searched.indexOf(email, at + email.length)) {
    const end = at + email.length;
    const isPart =
      LONGER_BEFORE.test(text.slice(Math.max(0, at - 2), at)) || LONGER_BEHIND.test(text.slice(end, end + 3));
    cleaned += text.slice(from, at) + (isPart ? text.slice(at, end) : placeholder);
    from = end;
  }
  return cleaned + text.slice(from);
}

interface Redacted {
  readonly id: string;
  readonly columns: NamingColumns;
}

async function redactInChain(
  tx: SqlRunner,
  { by, workspaceId, userId }: { readonly by: Act; readonly workspaceId: string | null; readonly userId: string },
  events: readonly Redacted[],
): Promise<void> {
  const byEvent = newId();
  const given = JSON.stringify(events);
  const notes = await tx.query<{ eventId: string; digest: string }>(
    `with given as (
       select * from jsonb_to_recordset($1::jsonb) as given (id uuid, columns jsonb)
     )
     insert into audit_redactions (event_id, event_sha256, by_event)
     select e.id, audit_event_digest(jsonb_populate_record(e, given.columns)), $2
     from given join audit_events e on e.id = given.id order by e.id
     returning event_id as "eventId", encode(event_sha256, 'hex') as digest`,
    [given, byEvent],
  );
  await tx.query(
    `update audit_events e set actor_name = c.actor_name, target_name = c.target_name, before = c.before, after = c.after,
       address = c.address
     from jsonb_to_recordset($1::jsonb) as given (id uuid, columns jsonb)
       cross join lateral jsonb_populate_record(null::audit_events, given.columns) c
     where e.id = given.id`,
    [given],
  );
  await recordAudit(tx, chainOf(by, workspaceId), {
    id: byEvent,
    action: 'audit.redact',
    target: { kind: 'audit_chain', id: workspaceId ?? INSTANCE_CHAIN },
    after: { user_id: userId, events: notes.length, sha256: redactionsDigest(notes) },
  });
}

/** As the proof computes it: src/control/ledger/verify-audit.ts. */
function redactionsDigest(notes: readonly { readonly eventId: string; readonly digest: string }[]): string {
  return createHash('sha256')
    .update(notes.map(({ eventId, digest }) => `${eventId} ${digest}`).join('\n'))
    .digest('hex');
}

function chainOf(by: Act, workspaceId: string | null): Parameters<typeof recordAudit>[1] {
  if (workspaceId === null) return by;
  const scope = authorise(by, 'workspace:write', workspaceId);
  assert(!isRefusal(scope), 'an operator may do everything');
  return scope;
}

/** Erases a person from all events, slice by slice. Returns how many were changed. @throws DatabaseUnavailable */
export async function redactAll(
  { sql, pacer }: { readonly sql: Sql; readonly pacer: { slice<T>(work: () => Promise<T>): Promise<T> } },
  by: Act,
  person: ErasedPerson,
): Promise<number> {
  let events = 0;
  let last: string | null = ID_BEFORE_ALL;
  while (last !== null) {
    const after: string = last;
    const slice = await pacer.slice(() => sql.transaction((tx) => redactSlice(tx, by, person, after)));
    events += slice.events;
    ({ last } = slice);
  }
  return events;
}
