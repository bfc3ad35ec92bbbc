import { maskKey } from '../../domain/key.ts';
import { type NanoUsd, optionalAmountFields } from '../../domain/money.ts';
import type { Principal } from '../../domain/principal.ts';
import type { Period } from '../../domain/window.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { limitWith, selectRaise } from '../resources/raise.ts';
import { type Raise, RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { settingsJson } from '../resources/setting-values.ts';
import { readEndUser } from './end-users.ts';
import { joinStanding, type Standing, standingJson } from './standing.ts';

// A key as its own caller sees it: its limits, its project's and its maker's, and how they stand. Nothing of its workspace, and
// nothing of other keys.

interface CallingKeyRow {
  readonly key_name: string;
  readonly public_id: string;
  readonly last_four: string;
  readonly spend_limit: NanoUsd | null;
  readonly expires_at: Date | null;
  readonly key_raised: NanoUsd | null;
  readonly key_raised_until: Date | null;
  readonly key_used: NanoUsd;
  readonly key_held: NanoUsd;
  readonly key_leased: NanoUsd;
  readonly key_resets_at: Date;
  readonly member_limit: NanoUsd | null;
  readonly member_raised: NanoUsd | null;
  readonly member_raised_until: Date | null;
  readonly member_used: NanoUsd | null;
  readonly member_held: NanoUsd | null;
  readonly member_leased: NanoUsd | null;
  readonly project_name: string;
  readonly budget: NanoUsd | null;
  readonly budget_period: Period;
  readonly end_user_limit: NanoUsd | null;
  readonly end_user_period: Period;
  readonly session_limit: NanoUsd | null;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: bigint | null;
  readonly concurrency: number | null;
  readonly project_raised: NanoUsd | null;
  readonly project_raised_until: Date | null;
  readonly project_used: NanoUsd;
  readonly project_held: NanoUsd;
  readonly project_leased: NanoUsd;
  readonly project_resets_at: Date | null;
}

const raisedAs = (kind: 'key' | 'project' | 'member', row: string): string =>
  selectRaise(row, `${kind}_raised`, `${kind}_raised_until`);

/** A limit with its raise, and how it stands. */
function limitJson<Name extends string>(name: Name, limit: NanoUsd | null, raise: Raise, standing: Standing) {
  return {
    ...optionalAmountFields(name, limit),
    ...settingsJson(RAISE_SETTINGS, raise),
    ...standingJson(standing, limitWith(limit, raise)),
  };
}

const SELECT_CALLING_KEY = `
  select key.*, project.*, member.*
  from (
    select keys.name as key_name, keys.public_id, keys.last_four, keys.spend_limit_nano_usd as spend_limit, keys.expires_at,
      ${raisedAs('key', 'keys')}, standing.used as key_used, standing.held as key_held, standing.leased as key_leased,
      standing.resets_at as key_resets_at
    from keys ${joinStanding('key', 'keys', "'month'")}
    where keys.workspace_id = $1 and keys.id = $3
  ) key
  cross join (
    select projects.name as project_name, projects.budget_nano_usd as budget, projects.budget_period,
      projects.end_user_limit_nano_usd as end_user_limit, projects.end_user_period,
      projects.session_limit_nano_usd as session_limit,
      projects.requests_per_minute, projects.tokens_per_minute, projects.concurrency,
      ${raisedAs('project', 'projects')}, standing.used as project_used, standing.held as project_held, standing.leased as project_leased,
      standing.resets_at as project_resets_at
    from projects ${joinStanding('project', 'projects', 'projects.budget_period')}
    where projects.workspace_id = $1 and projects.id = $2
  ) project
  left join (
    select member_limits.monthly_limit_nano_usd as member_limit,
      ${raisedAs('member', 'member_limits')}, standing.used as member_used, standing.held as member_held,
      standing.leased as member_leased
    from member_limits ${joinStanding('member', 'member_limits', "'month'")}
    where member_limits.workspace_id = $1 and member_limits.id = $4
  ) member on true`;

/** How the calling key, its project and its maker's limit stand, in JSON; and that of an end user of the project, if one is named. */
export async function readCallingKey(
  sql: SqlRunner,
  { workspaceId, projectId, keyId, memberLimitId }: Principal,
  endUser: string | null = null,
) {
  const [row] = await sql.query<CallingKeyRow>(SELECT_CALLING_KEY, [workspaceId, projectId, keyId, memberLimitId]);
  assert(row !== undefined, 'a key that calls is never deleted');
  return {
    id: keyId,
    name: row.key_name,
    masked_key: maskKey(row.public_id, row.last_four),
    ...limitJson(
      'spend_limit',
      row.spend_limit,
      { raisedLimit: row.key_raised, raisedUntil: row.key_raised_until },
      { used: row.key_used, held: row.key_held, leased: row.key_leased, resetsAt: row.key_resets_at },
    ),
    expires_at: row.expires_at?.toISOString() ?? null,
    member: memberJson(row),
    ...(endUser !== null && { end_user: await endUserJson(sql, { workspaceId, projectId, name: endUser }) }),
    project: {
      id: projectId,
      name: row.project_name,
      budget_period: row.budget_period,
      ...limitJson(
        'budget',
        row.budget,
        { raisedLimit: row.project_raised, raisedUntil: row.project_raised_until },
        {
          used: row.project_used,
          held: row.project_held,
          leased: row.project_leased,
          resetsAt: row.project_resets_at,
        },
      ),
      requests_per_minute: row.requests_per_minute,
      tokens_per_minute: row.tokens_per_minute === null ? null : Number(row.tokens_per_minute),
      concurrency: row.concurrency,
      ...optionalAmountFields('end_user_limit', row.end_user_limit),
      end_user_period: row.end_user_period,
      ...optionalAmountFields('session_limit', row.session_limit),
    },
  };
}

/** The limit of the member who made the key, over all their keys; null if they have none. */
function memberJson({ member_limit: limit, member_used: used, member_held: held, ...row }: CallingKeyRow) {
  const { member_leased: leased, key_resets_at: resetsAt } = row;
  if (limit === null || used === null || held === null || leased === null) return null;
  const raise = { raisedLimit: row.member_raised, raisedUntil: row.member_raised_until };
  return limitJson('monthly_limit', limit, raise, { used, held, leased, resetsAt });
}

/** Their limit, whether it is set for them or for each end user of the project, and how it stands. */
async function endUserJson(sql: SqlRunner, by: { workspaceId: string; projectId: string; name: string }) {
  const { name, limit, raisedLimit, raisedUntil, ...standing } = await readEndUser(sql, by);
  return { name, ...limitJson('limit', limit, { raisedLimit, raisedUntil }, standing) };
}
