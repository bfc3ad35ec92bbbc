import type { Sql } from '../../src/lib/sql.ts';
import { type Account, openAccount } from './accounts.ts';

// A workspace with very many records, made by few statements, whose books are right.

const CHARGE = 1_000n;
/** A key's receipts share one purse; so many keys have receipts. */
const SPENDING_KEYS = 1_000;

/** SQL for the n-th of ids that grow with n, each a millisecond after the one before. */
const idAt = (n: string): string => `
  (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 1000000 + ${n}), 12, '0') || '7' || substr(md5(${n}::text), 1, 3)
    || '8' || substr(md5(${n}::text), 4, 15))::uuid`;

const KEYS = `
  insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256)
  select $1::uuid, ${idAt('n')}, $2::uuid, 'key ' || n, substr(md5($2::uuid::text || n), 1, 12), 'abcd', sha256(($2::uuid::text || n)::bytea)
  from generate_series(1, $3::int) as n`;

const PURSES = `
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, spent_nano_usd)
  select $1::uuid, kind, id, 'month', date_trunc('month', now(), 'UTC'), date_trunc('month', now(), 'UTC') + interval '1 month',
    receipts * $4::bigint
  from (
    select 'key' as kind, id, ($3::int + $5::int - row_number() over (order by id)) / $5::int as receipts
    from (select id from keys where workspace_id = $1 order by id limit $5::int) spending
    union all select 'project', $2::uuid, $3::int
  ) subjects`;

const CREDIT = `update purses set spent_nano_usd = $2::bigint where workspace_id = $1 and kind = 'credit'`;

const RECEIPTS = `
  with key_purses as (
    select id, subject_id, row_number() over (order by subject_id) as number from purses
    where workspace_id = $1 and kind = 'key'
  ), shared as (
    select (select id from purses where workspace_id = $1 and kind = 'credit') as credit,
      (select id from purses where workspace_id = $1 and kind = 'project') as project
  )
  insert into receipts (workspace_id, request_id, project_id, key_id, epoch_id, credit_purse_id, project_purse_id,
    key_purse_id, dialect, model, price_version_id, outcome, charge_nano_usd, hold_nano_usd, write_off_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens, audio_input_tokens, output_tokens,
    audio_output_tokens, streamed, admitted_at, duration_ms, attempts)
  select $1::uuid, ${idAt('n')}, $2::uuid, key_purses.subject_id, 1, credit, project, key_purses.id, 'chat_completions', 'a-model', 1, 'completed', $4::bigint,
    2 * $4::bigint, 0, 'exact', 7, 0, 0, 0, 0, 11, 0, false, now(), 12,
    '[{"provider":"local","upstream_model":"a-model","status":200,"duration_ms":10,"fault":null}]'
  from generate_series(1, $3::int) as n join key_purses on number = 1 + (n - 1) % $5::int cross join shared`;

/** Makes a workspace whose one project has so many keys and receipts. */
export async function openLargeWorkspace(
  sql: Sql,
  { keys, receipts }: { readonly keys: number; readonly receipts: number },
): Promise<Account> {
  const account = await openAccount(sql, { credit: 1_000_000_000_000n });
  const { workspace, project } = account;
  const spendingKeys = Math.min(keys, SPENDING_KEYS);
  const spending = [workspace.id, project.id, receipts, CHARGE, spendingKeys];
  await sql.query(KEYS, [workspace.id, project.id, keys - 1], { statementMsMax: 120_000 });
  await sql.query(PURSES, spending);
  await sql.query(CREDIT, [workspace.id, BigInt(receipts) * CHARGE]);
  await sql.query(RECEIPTS, spending, { statementMsMax: 120_000 });
  await sql.query('analyze');
  return account;
}
