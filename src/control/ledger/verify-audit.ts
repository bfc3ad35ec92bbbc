// The proof of the audit events' hash chains. Links and events are read in slices: an event, its link and the end of the
// chain are committed together, and so are drops and redactions with what says so, so every moment shows them equal. Both ends
// of the chains are compared in the proof's snapshot: verify-checks.ts.

/** About 50 ms. */
const ROWS_PER_SLICE = 2_000;

/** Checks of links, for each slice. */
export const LINK_CHECKS = {
  /** Of a link: events that are there, and are as they were linked or redacted, or were dropped = 1. */
  audit_event: `
    select scope_id, event_id, (case
        when e.id is null then position <= coalesce(dropped_to, 0)
        else audit_event_digest(e) = coalesce(redaction.event_sha256, slice.event_sha256)
      end)::int as actual
    from slice left join audit_chains using (scope_id) left join audit_events e on e.id = event_id
      left join lateral (
        select r.event_sha256 from audit_redactions r join audit_events by_event on by_event.id = r.by_event
        where r.event_id = slice.event_id and by_event.action = 'audit.redact'
        order by r.number desc limit 1
      ) redaction on true`,
  /** Of a link: links that it continues by place and hash, or chains that it begins = 1. */
  audit_link: `
    select scope_id, event_id, (
      chain_sha256 = sha256(coalesce(former_sha256, '') || event_sha256) and position = coalesce(former, 0) + 1
      and (position > 1 or exists (select from audit_chains where audit_chains.scope_id = slice.scope_id))
    )::int as actual from slice`,
} as const;

/** Checks of events, for each slice: the differences. */
const EVENT_CHECKS = {
  /** Of an event: its links = 1. */
  audit_event_link: `
    select workspace_id, id as event_id from slice where not exists (select from audit_links where event_id = slice.id)`,
  /** Of an event about redactions: digests of all of them, that equal its own = 1. */
  audit_redaction: `
    select workspace_id, id from slice
    where action = 'audit.redact' and after ->> 'sha256' is distinct from (
      select encode(sha256(convert_to(string_agg(r.event_id || ' ' || encode(r.event_sha256, 'hex'), e'\\n' order by r.number),
        'UTF8')), 'hex')
      from audit_redactions r where r.by_event = slice.id
    )`,
} as const;

export type AuditCheck = keyof typeof LINK_CHECKS | keyof typeof EVENT_CHECKS;

export const AUDIT_CHECKS: readonly AuditCheck[] = ['audit_event', 'audit_link', 'audit_event_link', 'audit_redaction'];

const found = (last: string, differencesMax: string): string => `
  select (select count(*) from slice) as rows, (select ${last} from slice order by number desc limit 1) as last,
    (select count(*) from differences) as count, coalesce(jsonb_agg(jsonb_build_object('check', check_name,
      'workspaceId', workspace_id, 'subjectId', event_id, 'expected', '1', 'actual', '0')), '[]') as differences
  from (select * from differences limit ${differencesMax}) named`;

/** The link at $1, $2 was the last of the slice before, and is there for the one after it. $3 is the most that is listed. */
export const LINKS = `
  with links as (
    select *, lag(position) over chain as former, lag(chain_sha256) over chain as former_sha256
    from audit_links where (scope_id, position) >= ($1::uuid, $2::bigint)
    window chain as (partition by scope_id order by position)
    order by scope_id, position limit ${ROWS_PER_SLICE}
  ), slice as materialized (
    select *, row_number() over (order by scope_id, position) as number
    from links where (scope_id, position) > ($1::uuid, $2::bigint)
  ), differences as (${Object.entries(LINK_CHECKS)
    .map(
      ([check, query]) => `
        select '${check}' as check_name, nullif(scope_id, '00000000-0000-0000-0000-000000000000') as workspace_id, event_id
        from (${query}) compared where actual is distinct from 1`,
    )
    .join(' union all ')})
  ${found('jsonb_build_array(scope_id, position)', '$3')}`;

/** $1 is the last event of the slice before, $2 the most that is listed. */
export const EVENTS = `
  with slice as materialized (
    select id, workspace_id, action, after, row_number() over (order by id) as number
    from audit_events where id > $1::uuid order by id limit ${ROWS_PER_SLICE}
  ), differences as (${Object.entries(EVENT_CHECKS)
    .map(([check, query]) => `select '${check}' as check_name, wrong.* from (${query}) wrong`)
    .join(' union all ')}
  )
  ${found('jsonb_build_array(id)', '$2')}`;
