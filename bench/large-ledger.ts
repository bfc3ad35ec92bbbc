import { ensureReceiptPartition, receiptPartitionAt } from '../src/program/database/partitions.ts';
import type { Sql } from '../src/lib/sql.ts';
import { type Account, onceFree, openAccount } from '../test/support/accounts.ts';

// A workspace with a long history: receipts of many days by many keys and models, made by a few statements a day, whose
// books are right. Keys and models differ in how much they are used, as they do in life.

export interface LargeLedger {
  readonly receipts: number;
  readonly keys: number;
  readonly projects: number;
  readonly days: number;
}

/** A million receipts of 90 days; half of the keys are in one project. */
export const LARGE_LEDGER: LargeLedger = { receipts: 1_000_000, keys: 100_000, projects: 50, days: 90 };

const MODELS = 12;
const DAY_MS = 86_400_000;
const LIMITS = { statementMsMax: 600_000 };

/** SQL for the n-th of a kind of ids of the workspace $1: random ones in form, which is all that the API takes. */
const idOf = (kind: string, n: string): string =>
  `overlay(overlay(md5($1::uuid || '${kind}' || ${n}) placing '4' from 13) placing '8' from 17)::uuid`;

const PROJECTS = `
  insert into projects (workspace_id, id, name)
  select $1::uuid, ${idOf('project', 'n')}, 'project ' || n from generate_series(1, $2::int) as n`;

/** Of each key by the month: 100 USD, far from what any is charged. */
const KEY_LIMIT = 100_000_000_000;

const KEYS = `
  insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256, spend_limit_nano_usd)
  select $1::uuid, ${idOf('key', 'n')}, ${idOf('project', '(case when n % 2 = 0 then 1 else 1 + n % $2::int end)')},
    'key ' || n, substr(md5($1::uuid || 'public' || n), 1, 12), substr(md5('last four' || n), 1, 4),
    sha256(($1::uuid || 'secret' || n)::bytea), ${KEY_LIMIT}
  from generate_series(1, $3::int) as n`;

/** Their ids say, as ids do that are made by fresh_id, that each was made when its month began. */
const PURSES = `
  insert into purses (id, workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
  select ((extract(epoch from month) * 1000)::bigint << 20) | (nextval('fresh_ids') & 1048575), $1::uuid, kind, subject, 'month', month, month + interval '1 month', case kind when 'key' then ${KEY_LIMIT} end
  from (
    select 'project' as kind, id as subject from projects where workspace_id = $1
    union all select 'key', id from keys where workspace_id = $1
  ) subjects cross join generate_series(date_trunc('month', $2::timestamptz, 'UTC'), now(), interval '1 month') as month`;

/** A day's receipts. A tenth of the keys make half of the requests, and each key uses a model of its own most often. */
const DAY = `
  with drawn as (
    select $3::timestamptz + n * (interval '1 day' / $2::int) as admitted_at, n,
      1 + floor($4::int * power(random(), 3.3))::int as key_number, random() as luck, random() as other
    from generate_series(0, $2::int - 1) as n
  ), requests as (
    select *, ${idOf('key', 'key_number')} as key_id,
      1 + (case when luck < 0.8 then key_number % 3 else floor(other * ${MODELS})::int end) % ${MODELS} as model
    from drawn
  )
  insert into receipts (workspace_id, request_id, project_id, key_id, epoch_id, credit_purse_id, project_purse_id,
    key_purse_id, dialect, model, price_version_id, outcome, charge_nano_usd, hold_nano_usd, write_off_nano_usd,
    usage_certainty, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens, audio_input_tokens,
    output_tokens, audio_output_tokens, streamed, admitted_at, duration_ms, first_event_ms, attempts)
  select $1::uuid, (lpad(to_hex((extract(epoch from admitted_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
      || '8' || substr(md5(n || 'id'), 1, 15))::uuid,
    keys.project_id, key_id, 1, (select id from purses where workspace_id = $1 and kind = 'credit'), project.id, key.id,
    case when model = ${MODELS} then 'embeddings' else 'chat_completions' end, 'model-' || model, 1,
    case when luck < 0.02 then 'failed' when luck < 0.03 then 'interrupted' when luck < 0.04 then 'abandoned' else 'completed' end,
    case when luck < 0.02 then 0 else 1000 + floor(1e6 * other) end, 2000000, 0,
    'exact', 1000 * other, 100 * other, 0, 0, 0, 500 * luck, 0, luck < 0.5, admitted_at, 200 + 5000 * other, 100 + 1000 * other, '[]'
  from requests join keys on keys.workspace_id = $1 and keys.id = key_id
  join purses project on project.workspace_id = $1 and project.kind = 'project' and project.subject_id = keys.project_id
    and project.period = 'month' and project.window_start = date_trunc('month', admitted_at, 'UTC')
  join purses key on key.workspace_id = $1 and key.kind = 'key' and key.subject_id = key_id
    and key.period = 'month' and key.window_start = date_trunc('month', admitted_at, 'UTC')`;

const SPENT = `
  update purses set spent_nano_usd = charges from (
    select purse_id, sum(charge_nano_usd) as charges
    from receipts cross join lateral (values (credit_purse_id), (project_purse_id), (key_purse_id)) as three (purse_id)
    where workspace_id = $1 group by purse_id
  ) charged where id = purse_id`;

/** Makes such a workspace. Takes some two minutes for a million receipts. */
export async function openLargeLedger(sql: Sql, { receipts, keys, projects, days }: LargeLedger): Promise<Account> {
  const account = await openAccount(sql, { credit: 1_000_000_000_000_000n });
  const { id } = account.workspace;
  const nowMs = Date.now();
  const sinceMs = nowMs - days * DAY_MS;
  await sql.query(PROJECTS, [id, projects], LIMITS);
  await sql.query(KEYS, [id, projects, keys], LIMITS);
  await sql.query(PURSES, [id, new Date(sinceMs)], LIMITS);
  await sql.query('analyze');
  for (let day = 0; day < days; day++) {
    const startMs = sinceMs + day * DAY_MS;
    for (const timeMs of [startMs, startMs + DAY_MS]) {
      // A running program counts receipts, and looks at partitions for that.
      await onceFree(() => sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(timeMs))));
    }
    await sql.query(DAY, [id, Math.floor(receipts / days), new Date(startMs), keys], LIMITS);
  }
  await sql.query(SPENT, [id], LIMITS);
  await sql.query('vacuum analyze', [], LIMITS);
  return account;
}
