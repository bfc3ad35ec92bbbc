import { setEndUserLimit } from '../../src/control/accounts/end-users.ts';
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { rotateKey, updateKey } from '../../src/control/accounts/key-changes.ts';
import { createKeyOnce } from '../../src/control/accounts/keys.ts';
import { archiveProject, updateProject } from '../../src/control/accounts/projects.ts';
import { claimShard } from '../../src/control/accounts/shard.ts';
import { changeWorkspace, closeWorkspace, suspendWorkspace } from '../../src/control/accounts/workspaces.ts';
import { makeChange } from '../../src/control/audit/change.ts';
import { adjustPrices } from '../../src/control/catalogue/price-adjustments.ts';
import { applyCatalogue } from '../../src/control/catalogue/price-versions.ts';
import { PostgresFreeAnswers } from '../../src/program/database/free-answers.ts';
import { PostgresIdempotencyStore } from '../../src/program/database/idempotency-store.ts';
import { ensureReceiptPartition, receiptPartitionAt } from '../../src/program/database/partitions.ts';
import { PostgresPurseStore } from '../../src/program/database/purse-store.ts';
import { ResponseKeeper } from '../../src/program/database/response-keeper.ts';
import { FIRST_SHARD } from '../../src/domain/key.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { correctReceipt } from '../../src/control/ledger/corrections.ts';
import { servedSubject } from '../../src/gate/principals/served-subject.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import { EVENT_LOOP } from '../../src/gate/turns/stages.ts';
import { createRecurringGrant } from '../../src/control/ledger/recurring-grants.ts';
import { postCredit } from '../../src/control/ledger/postings.ts';
import { sealReceipts } from '../../src/control/ledger/seals.ts';
import { countUsageIn, UNPACED } from '../support/verify-ledger.ts';
import { makeProof } from '../../src/control/ledger/verifications.ts';
import { createBatch } from '../../src/control/payments/codes/code-batches.ts';
import { redeemCode } from '../../src/control/payments/codes/redeem-code.ts';
import { applyPaymentEvent, type PaymentFact } from '../../src/control/payments/payment-facts.ts';
import { EVERY_EXTRA } from '../support/receipts.ts';
import { openTopUp } from '../support/payments.ts';
import { storeCell } from '../../src/control/cells/cell-store.ts';
import { recordOf } from '../../src/control/refusals/recorded-refusal.ts';
import { writeRefusals } from '../../src/control/refusals/refusal-store.ts';
import { noAttempts } from '../../src/control/routes/route-counts.ts';
import { addRouteCounts } from '../../src/control/routes/route-hours.ts';
import { holdSink } from '../../src/control/sinks/sink-progress.ts';
import { addLostRecords, changeWorkspaceSink } from '../../src/control/sinks/workspace-sinks.ts';
import { SANDBOX_MODELS } from '../../src/gate/upstreams/sandbox/models.ts';
import { testKeyring } from '../support/keyring.ts';
import { fillAlerts } from './fill-alerts.ts';
import { fillIdentity } from './fill-identity.ts';
import { fillRetention } from './fill-retention.ts';
import {
  type Account,
  granted,
  limitMaker,
  openAccount,
  Spender,
  openKey,
  openProject,
  endKey,
  openWorkspace,
} from '../support/accounts.ts';
import { principalOf, refusedRequest } from '../support/refused-requests.ts';
import { operatorScope, scopeOf } from '../support/scopes.ts';
import type { TestDatabase } from '../support/database.ts';

// A small database with something of everything that a migration may meet: each table has rows, and money stands at each
// place where it can stand.

const DAY_MS = 86_400_000;
const CENT = 10_000_000n;
const FAILED_ATTEMPT = { provider: 'main', upstreamModel: 'mock', status: 503, durationMs: 4, fault: 'overloaded' };

/** Fills an empty database, as processes and operators would. */
export async function fillDatabase(db: TestDatabase): Promise<void> {
  const { database, control } = db;
  await claimShard(database, FIRST_SHARD);
  await applyCatalogueTwice(control);
  const account = await openAccount(database, {
    credit: 500n * CENT,
    project: {
      requestsPerMinute: 60,
      tokensPerMinute: 100_000,
      concurrency: 4,
      budget: 300n * CENT,
      models: ['small-chat'],
      memberKeySpendLimit: 250n * CENT,
      memberKeysMax: 5,
      reportsCost: true,
    },
    key: { spendLimit: 200n * CENT, allowedNetworks: ['10.0.0.0/8'] },
  });
  await adjustPricesOf(database, account);
  await spend(database, account);
  await keepFormerReceipt(database, account);
  await postByHand(database, account);
  await payWithCodesAndCards(database, account);
  await claimKeys(database, account);
  await leaveRefusedReceipt(database, account);
  await keepResponses(database, account);
  await recordRefusals(control, account);
  await countRoutes(control);
  await fillIdentity(control, account.workspace.id);
  await fillAlerts(control, account.workspace.id);
  await declareOffer(control);
  await useSink(control, account);
  await spendOfMember(database, account);
  await spendOfServed(database, account);
  await leadWholeLives(database, account);
  await fillRetention(database, account.workspace.id);
  await makeProof({ sql: database, pacer: UNPACED }, { night: null, now: new Date() });
  const archived = await openWorkspace(database, 'archived');
  await database.query('update workspaces set archived_at = now() where id = $1', [archived.id]);
  await moveToOtherCell(control);
}

async function moveToOtherCell(sql: TestDatabase['control']): Promise<void> {
  const other = { shard: '01', url: 'https://one.gateway.example', token: 'fg_op_1234', version: 0 };
  await storeCell({ sql, keyring: testKeyring(sql) }, operatorScope(), other);
  const moved = await openWorkspace(sql, 'moved');
  await sql.query('update workspaces set moved_to = $2 where id = $1', [moved.id, other.shard]);
  await sql.query(
    `insert into workspace_moves (workspace_id, id, shard, state, wait_ms, actor) values ($1, gen_random_uuid(), $2, 'moved', 1000, 'operator')`,
    [moved.id, other.shard],
  );
  await sql.query(
    `with arrival as (
       insert into arrivals (workspace_id, move_id, shard, state)
       values (gen_random_uuid(), gen_random_uuid(), $1, 'arriving') returning workspace_id
     )
     insert into arriving_rows (workspace_id, table_name, key, row) select workspace_id, 'projects', 'p', '{}' from arrival`,
    [other.shard],
  );
}

type Sql = TestDatabase['database'];

/** A provider and a model of the database, as no config file declares them. */
async function declareOffer(sql: TestDatabase['control']): Promise<void> {
  await sql.query(
    `insert into offer_declarations (kind, name, declaration) values
       ('provider', 'stored', '{"kind": "sandbox"}'),
       ('model', 'stored', '{"id": "stored", "routes": [{"provider": "stored", "model": "echo"}]}')`,
  );
}

/** The cost of the route that serves receipts, and a former one of another route. */
async function applyCatalogueTwice(sql: TestDatabase['control']): Promise<void> {
  const [first, second] = SANDBOX_MODELS;
  if (first === undefined || second === undefined) throw new Error('the sandbox has two models');
  const { price } = first.terms;
  const cost = { ...price, serviceTiers: { flex: { rates: price.rates, tiers: price.tiers } } };
  const routes = [{ provider: 'local', upstreamModel: 'qwen3', cost }];
  const costing = { ...first, id: 'small-chat', routes };
  const former = { ...second, routes: second.routes.map((route) => ({ ...route, cost: second.terms.price })) };
  for (const each of [former, second]) {
    await applyCatalogue(sql, [first, costing, each], { accept: [], mayLoseMost: true });
  }
}

/** A sink that a workspace uses, has lost a record for, and that a process delivers to. */
async function useSink(sql: TestDatabase['control'], { workspace }: Account): Promise<void> {
  const sink = { name: 'archive', kind: 'file' } as const;
  const change = { records: ['content', 'receipts'], samplePercent: 10, redact: ['keys'] } as const;
  granted(
    await makeChange(sql, (tx) => changeWorkspaceSink(tx, scopeOf(workspace.id), sink, { change, version: null })),
  );
  await addLostRecords(sql, [{ workspaceId: workspace.id, sink: sink.name, records: 2 }]);
  await holdSink(sql, sink.name, randomUUID());
}

/** A refusal that is recorded, and some that are not. */
async function recordRefusals(sql: TestDatabase['control'], account: Account): Promise<void> {
  const caller = principalOf(account);
  const records = [recordOf(refusedRequest(caller), caller, Date.now())];
  await writeRefusals(sql, { records, unrecorded: new Map([[caller.workspaceId, 3]]) });
}

/** A route that has answered and failed. */
async function countRoutes(sql: TestDatabase['control']): Promise<void> {
  const place = { model: 'small-chat', provider: 'local', upstreamModel: 'qwen3' };
  const fault = { atMs: Date.now(), kind: 'failed', status: 500, requestId: randomUUID() };
  const counts = { ...place, ...noAttempts(), answered: 2, answeredAtMs: Date.now(), fault };
  await addRouteCounts(sql, [{ ...counts, faults: new Map([['failed', 1]]) }]);
}

/** A limit for those who join, and a member who has spent some of theirs. */
async function spendOfMember(sql: Sql, account: Account): Promise<void> {
  const change = { version: null, change: { memberMonthlyLimit: 20n * CENT, billingName: 'Acme' } };
  granted(await makeChange(sql, (tx) => changeWorkspace(tx, scopeOf(account.workspace.id), change)));
  const key = await openKey(sql, account.project, { name: 'of a member' });
  const memberLimitId = await limitMaker(sql, key, 50n * CENT);
  const spender = await Spender.begin(sql);
  await spender.spend({ ...account, key }, { hold: 3n * CENT, charge: 2n * CENT, memberLimitId });
  await spender.end();
  const raise = { raisedLimit: 90n * CENT, raisedUntil: new Date(Date.UTC(2099, 0, 1)) };
  const raised = await openKey(sql, account.project, { name: 'raised', spendLimit: 50n * CENT });
  const target = { keyId: raised.id, version: null, change: raise };
  granted(await makeChange(sql, (tx) => updateKey(tx, scopeOf(account.workspace.id), target)));
  const { id: projectId } = await openProject(sql, account.workspace, { name: 'raised', budget: 50n * CENT });
  const project = { projectId, version: null, change: { ...raise, modelWhenSpent: 'small-chat' } };
  granted(await makeChange(sql, (tx) => updateProject(tx, scopeOf(account.workspace.id), project)));
  await sql.query('update member_limits set raised_limit_nano_usd = $2, raised_until = $3 where id = $1', [
    memberLimitId,
    raise.raisedLimit,
    raise.raisedUntil,
  ]);
}

/** Limits of end users and sessions, with what one of each has spent. */
async function spendOfServed(sql: Sql, { workspace }: Account): Promise<void> {
  const project = await openProject(sql, workspace, {
    name: 'serves many',
    endUserLimit: 20n * CENT,
    endUserPeriod: 'month',
    sessionLimit: 10n * CENT,
  });
  const key = await openKey(sql, project);
  const [endUserId, sessionId] = (['end_user', 'session'] as const).map((kind) => servedSubject(project.id, kind, 'a'));
  const spender = await Spender.begin(sql);
  const amounts = { hold: 3n * CENT, charge: 2n * CENT, endUserId: endUserId ?? '', sessionId: sessionId ?? '' };
  await spender.spend({ workspace, project, key }, amounts);
  await spender.end();
  const raise = { raisedLimit: 90n * CENT, raisedUntil: new Date(Date.UTC(2099, 0, 1)) };
  const named = { projectId: project.id, name: 'a', limit: 30n * CENT, ...raise };
  granted(await makeChange(sql, (tx) => setEndUserLimit(tx, scopeOf(workspace.id), named)));
}

/** A key with a former secret, one that is disabled and was created under a name, an archived project, suspension, closing. */
async function leadWholeLives(sql: Sql, { workspace, project }: Account): Promise<void> {
  const scope = scopeOf(workspace.id);
  const rotated = await openKey(sql, project, { name: 'rotated', metadata: { team: 'search' } });
  const rotation = { keyId: rotated.id, version: null, overlapMs: 30 * DAY_MS };
  granted(await makeChange(sql, (tx) => rotateKey(tx, scope, rotation)));
  const named = { name: 'disabled', once: 'first' };
  const disabled = granted(await makeChange(sql, (tx) => createKeyOnce(tx, scope, project.id, named)));
  const change = { keyId: disabled.id, version: 1, change: { disabled: true } };
  granted(await makeChange(sql, (tx) => updateKey(tx, scope, change)));
  const archived = { projectId: (await openProject(sql, workspace, { name: 'archived' })).id, version: null };
  granted(await makeChange(sql, (tx) => archiveProject(tx, scope, { ...archived, archived: true })));
  const [suspended, closing] = [await openAccount(sql), await openAccount(sql, { credit: CENT })];
  granted(await makeChange(sql, (tx) => suspendWorkspace(tx, scopeOf(suspended.workspace.id), 'unpaid')));
  granted(await makeChange(sql, (tx) => closeWorkspace(tx, scopeOf(closing.workspace.id), { version: null })));
}

/** A discount on everything that was replaced, and a mark-up on one model. */
async function adjustPricesOf(sql: Sql, { workspace }: Account): Promise<void> {
  const scope = scopeOf(workspace.id);
  for (const change of [
    { model: null, basisPoints: -500 },
    { model: null, basisPoints: -1_000 },
    { model: SANDBOX_MODELS[0]?.id ?? null, basisPoints: 2_500 },
  ]) {
    granted(await makeChange(sql, (tx) => adjustPrices(tx, scope, change)));
  }
}

/** A payment that was refunded in part, one under way by a kept card, a refund of another product, and redemption codes. */
async function payWithCodesAndCards(sql: Sql, { workspace }: Account): Promise<void> {
  const paid = await openTopUp(sql, workspace.id, { savesMethod: true });
  const { id: topUpId, workspaceId, origin, amount, fee } = paid;
  const apply = (fact: PaymentFact) => applyPaymentEvent(sql, { provider: 'stripe', id: randomUUID(), fact });
  const money = { currency: 'usd', payment: 'pi_1' };
  await apply({ kind: 'paid', topUpId, workspaceId, origin, amount: amount + fee, customer: 'cus_1', ...money });
  const refund = { kind: 'refund', state: 'taken', amount: 2n * CENT, currency: 'usd' } as const;
  await apply({ ...refund, reference: 're_1', payment: 'pi_1' });
  await apply({ ...refund, reference: 're_2', payment: 'pi_other' });
  await apply({ kind: 'paid', topUpId, workspaceId, origin, amount, customer: null, ...money });
  await openTopUp(sql, workspace.id, { origin: 'auto' });
  await sql.query(
    `insert into payment_reconciliations
       (provider, night, started_at, events_until, missed, compared, difference_count, differences)
     values ('stripe', now(), now(), now(), 1, 2, 1, '["one"]')`,
  );
  const batch = { count: 2, amount: CENT, sold: true, expiresAt: new Date(Date.now() + DAY_MS), reason: 'sold' };
  const codes = granted(await createBatch(sql, operatorScope(), { ...batch, once: null })).codes ?? [];
  granted(await redeemCode(sql, scopeOf(workspace.id), codes[0] ?? ''));
}

/** Receipts of a process that has ended, and of one that still has leases. */
async function spend(sql: Sql, account: Account): Promise<void> {
  const former = await Spender.begin(sql);
  await former.spend(account, { hold: 2n * CENT, charge: CENT });
  const attempts = [FAILED_ATTEMPT, { ...FAILED_ATTEMPT, status: 200, fault: null }];
  await former.spend(account, { hold: 2n * CENT, charge: CENT }, { attempts });
  await former.spend(account, { hold: 3n * CENT, charge: 0n }, { outcome: 'failed', clientRequestId: 'mine' });
  await former.end();
  const present = await Spender.begin(sql);
  const embeddings = { dialect: 'embeddings', streamed: true, firstEventMs: 3 } as const;
  await present.spend(account, { hold: 5n * CENT, charge: 2n * CENT + 1n }, embeddings);
  await present.spend(account, { hold: CENT, charge: CENT }, { dialect: 'responses', extras: EVERY_EXTRA });
  await present.say({ held: CENT });
  await sql.query(
    `insert into rate_buckets (workspace_id, project_id, request_parts, token_parts) values ($1, $2, 5, 6)`,
    [account.workspace.id, account.project.id],
  );
  await sql.query(
    `insert into rate_leases (workspace_id, project_id, epoch_id, sequence, requests)
     select workspace_id, project_id, max(epochs.id), 1, 2 from rate_buckets, epochs group by 1, 2`,
  );
  await new PostgresFreeAnswers(sql, CENT).take(
    { workspaceId: account.workspace.id, projectId: account.project.id },
    7n,
  );
}

/** A receipt of half a year ago, in a partition that is sealed. */
async function keepFormerReceipt(sql: Sql, account: Account): Promise<void> {
  const nowMs = Date.now();
  const thenMs = nowMs - 180 * DAY_MS;
  await sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(thenMs)));
  const hex = thenMs.toString(16).padStart(12, '0');
  const spender = await Spender.begin(sql);
  const requestId = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;
  await spender.spend(account, { hold: CENT, charge: CENT }, { requestId, admittedAtMs: thenMs });
  await spender.end();
  granted(
    await sealReceipts(sql, {
      before: new Date(thenMs + 30 * DAY_MS),
      drop: false,
      nowMs,
      countUsage: countUsageIn(sql),
    }),
  );
}

/** Each kind of posting, a correction, and credit that is owed. */
async function postByHand(sql: Sql, account: Account): Promise<void> {
  const scope = scopeOf(account.workspace.id);
  const reason = 'a "reason", with Ünïcode';
  granted(await postCredit(sql, scope, { kind: 'top_up', amount: 40n * CENT, reason, once: 'payment 1' }));
  granted(await postCredit(sql, scope, { kind: 'refund', amount: -10n * CENT, reason }));
  const [receipt] = await sql.query<{ id: string }>(
    'select request_id as id from receipts where charge_nano_usd > 0 order by request_id desc limit 1',
  );
  granted(await correctReceipt(sql, scope, { requestId: receipt?.id ?? '', charge: CENT, reason }));
  const expiresAt = new Date(Date.now() + 30 * DAY_MS);
  granted(await postCredit(sql, scope, { kind: 'grant', amount: 3n * CENT, reason, expiresAt }));
  const plan = {
    amount: CENT,
    period: 'month',
    expires: 'with_period',
    expiresAfterDays: null,
    starts: 'now',
  } as const;
  granted(await makeChange(sql, (tx) => createRecurringGrant(tx, scope, { ...plan, reason })));
  const debtor = await openAccount(sql, { credit: CENT });
  const taken = { kind: 'dispute', amount: -3n * CENT, reason } as const;
  granted(await postCredit(sql, scopeOf(debtor.workspace.id), taken));
  const revoked = await openKey(sql, debtor.project, { name: 'revoked' });
  await endKey(sql, revoked);
}

/** A claim that runs, one that is completed with its answer, and one that was given up. */
async function claimKeys(sql: Sql, account: Account): Promise<void> {
  const claims = new PostgresIdempotencyStore(sql);
  const epoch = await new PostgresPurseStore(sql).beginEpoch(randomUUID(), 'test', 30_000);
  const claim = async (idempotencyKey: string): Promise<Pick<Receipt, 'workspaceId' | 'keyId' | 'requestId'>> => {
    const request = { workspaceId: account.workspace.id, keyId: account.key.id, requestId: randomUUIDv7() };
    await claims.claim(epoch, { ...request, idempotencyKey }, Buffer.from('a hash'));
    return request;
  };
  await claim('it runs');
  const done = await claim('it is done');
  await sql.query(`update idempotent_requests set completed_at = now(), answer = 'an answer' where request_id = $1`, [
    done.requestId,
  ]);
  await claims.release({ ...(await claim('it was given up')), idempotencyKey: 'it was given up' }, true);
}

/** A response that goes on from another. */
async function keepResponses(sql: Sql, { workspace }: Account): Promise<void> {
  const keeper = new ResponseKeeper({
    sql,
    keyring: testKeyring(sql),
    clock: new SystemClock(),
    turns: EVENT_LOOP,
    onLost: neverLost,
  });
  const first = randomUUIDv7();
  const entry = {
    responseId: 'resp_1',
    input: [Buffer.from('{"role":"user","content":"hi"}')],
    output: Buffer.from('{"type":"message","id":"msg_1","content":[]}'),
    outputItems: [{ id: 'msg_1', start: 0, length: 44 }],
    response: Buffer.from('{"id":"resp_1"}'),
  };
  const kept = { workspaceId: workspace.id, entry };
  const limits = { keepMs: DAY_MS, bytesMax: 1_000 };
  await keeper.keep({ ...kept, requestId: first, previousRequestId: null, goesOnFrom: [] }, limits);
  await keeper.keep({ ...kept, requestId: randomUUIDv7(), previousRequestId: first, goesOnFrom: [first] }, limits);
}

function neverLost(_requestId: string, reason: unknown): never {
  throw new Error('a response was lost', { cause: reason });
}

async function leaveRefusedReceipt(sql: Sql, account: Account): Promise<void> {
  await sql.query(
    `insert into quarantined_receipts (request_id, receipt, reason) values ($1, '{}', 'it was refused')`,
    [account.key.id],
  );
}
