import { randomUUIDv7 } from 'node:crypto';
import { makeKeySecret } from '../src/control/accounts/key-secret.ts';
import { NANO_PER_USD, type NanoUsd } from '../src/domain/money.ts';
import type { Sql } from '../src/lib/sql.ts';
import { type Account, openAccount } from '../test/support/accounts.ts';
import { MODELS } from './instance.ts';

// Who sends the load: workspaces with everything on that a user can switch on (a model policy at both levels, all
// three rate limits, a budget, a key's limit), set so high that they never refuse.

const RICH = 1_000_000n * NANO_PER_USD;
const KEYS_PER_STATEMENT = 10_000;

/** A workspace with one project and one key. */
export function openTenant(sql: Sql, credit: NanoUsd = RICH): Promise<Account> {
  return openAccount(sql, {
    credit,
    project: {
      requestsPerMinute: 1_000_000_000,
      tokensPerMinute: 1_000_000_000_000,
      concurrency: 1_000_000,
      budget: RICH,
      budgetPeriod: 'month',
      models: MODELS,
    },
    key: { spendLimit: RICH, models: MODELS },
  });
}

/** Makes so many more keys in the account's project, in few statements, and answers with what their holders know. */
export async function openKeys(sql: Sql, { project }: Account, count: number): Promise<readonly string[]> {
  const secrets = Array.from({ length: count }, () => makeKeySecret('00'));
  for (let at = 0; at < count; at += KEYS_PER_STATEMENT) {
    const some = secrets.slice(at, at + KEYS_PER_STATEMENT);
    await sql.query(
      `insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256, spend_limit_nano_usd)
       select $1, k.id, $2, k.public_id, k.public_id, k.last_four, k.sha256, $3
       from unnest($4::uuid[], $5::text[], $6::text[], $7::bytea[]) as k (id, public_id, last_four, sha256)`,
      [
        project.workspaceId,
        project.id,
        RICH,
        some.map(() => randomUUIDv7()),
        some.map(({ publicId }) => publicId),
        some.map(({ lastFour }) => lastFour),
        some.map(({ sha256 }) => sha256),
      ],
    );
  }
  return secrets.map(({ key }) => key);
}

const TENANT = `
  with made as (
    select t.*, gen_random_uuid() as posting, $1::bigint as rich
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bytea[])
      as t (workspace, project, key, public_id, last_four, sha256)
  ), w as (
    insert into workspaces (id, name) select workspace, workspace::text from made returning id
  ), p as (
    insert into projects (workspace_id, id, name, requests_per_minute, budget_nano_usd)
    select workspace, project, 'project', 1000000, rich from made returning id
  ), k as (
    insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256, spend_limit_nano_usd)
    select workspace, key, project, 'key', public_id, last_four, sha256, rich from made returning id
  ), c as (
    insert into purses (workspace_id, kind, subject_id, period, window_start, limit_nano_usd)
    select workspace, 'credit', workspace, 'never', to_timestamp(0), rich from made returning id
  ), l as (
    insert into ledger_postings (id, workspace_id, kind, actor, reason, balance_nano_usd)
    select posting, workspace, 'grant', 'bench', 'a bench', rich from made returning id
  )
  insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd)
  select workspace, posting, account, sign * rich from made
  cross join (values ('credit', 1), ('promotions', -1)) as line (account, sign)`;

/** Makes so many workspaces, each with credit, one project and one key with limits, and answers with their keys. */
export async function openTenants(sql: Sql, count: number): Promise<readonly string[]> {
  const secrets = Array.from({ length: count }, () => makeKeySecret('00'));
  for (let at = 0; at < count; at += KEYS_PER_STATEMENT) {
    const some = secrets.slice(at, at + KEYS_PER_STATEMENT);
    const ids = (): readonly string[] => some.map(() => randomUUIDv7());
    const columns = [
      some.map(({ publicId }) => publicId),
      some.map(({ lastFour }) => lastFour),
      some.map(({ sha256 }) => sha256),
    ];
    await sql.query(TENANT, [RICH, ids(), ids(), ids(), ...columns]);
  }
  return secrets.map(({ key }) => key);
}
