import { assert } from '../../lib/assert.ts';
import { BRIEF, FREQUENT, type Sql, SqlFault, TIMELINE } from '../../lib/sql.ts';
import type { NanoUsd } from '../../domain/money.ts';
import type { Receipt } from '../../domain/receipt.ts';
import {
  type DrawReply,
  type DrawRequest,
  EpochFenced,
  type HeartbeatReply,
  type KeptAnswers,
  LeaseGone,
  type LeaseRelease,
  type LeasesInUse,
  type PurseStore,
  type Waiting,
} from '../../gate/purses/ports/database.ts';
import { type DrawnLease, toDrawReply } from './drawn-leases.ts';
import { noRowsIfBusy, withClaims, withFencing, withLeases } from './epoch-fencing.ts';
import { claimArguments, lateReceiptsJson, NO_CLAIMS, receiptText } from './receipt-columns.ts';
import { extrasArgument, SETTLE_ARGUMENTS, settleArguments } from './settle-arguments.ts';

const AMOUNT_MAX: NanoUsd = 2n ** 63n - 1n;
const LEASES_PER_REAP = 1_000;
const DRAW = 'call commit_draw_leases($1, $2, $3, null)';
const RELEASE = 'call commit_release_leases($1, $2, $3, $4, $5, null)';
const REAP = 'call commit_reap_epoch($1, $2, $3, $4, null, null)';
/** The time that a fence waits for locks before it ends the connections that hold them. */
const FENCE_PATIENCE_MS = 1_000;
const HEARTBEAT = `
  with beat as (
    update epochs set heartbeat_at = clock_timestamp(), leases_in_use = $2
    where id = $1 and fenced_at is null returning heartbeat_at
  )
  select (extract(epoch from heartbeat_at) * 1000)::double precision as now_ms,
    ${TIMELINE} as timeline,
    coalesce((
      select json_agg(json_build_object(
        'id', id::text, 'heartbeat', ${TIMELINE} || ' ' || heartbeat_at::text, 'timeout_ms', timeout_ms, 'fenced', fenced_at is not null
      ))
      from epochs where reaped_at is null and id <> $1
    ), '[]') as peers
  from beat`;
const SETTLE_PARAMETERS = 1 + SETTLE_ARGUMENTS;
const CLAIM_PARAMETERS = 5;
// A claim is completed, and its answer stored, if and only if its receipt is committed.
const SETTLE_LATE = `call commit_settle_late_receipts(${parameters(2 + CLAIM_PARAMETERS)})`;

const UNIQUE_VIOLATION = '23505';
/** The primary key's constraint, in any partition of the receipts. */
const RECEIPT_KEY = /^receipts_.*_pkey$/;

function parameters(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(',');
}

interface SettleForm {
  readonly isRepeat: boolean;
  readonly hasClaims: boolean;
  readonly hasExtras: boolean;
}

/** The statement of each form, made once: its text is compared with those that are prepared. */
const settleStatements = new Map<number, string>();

function settleStatement(form: SettleForm): string {
  const index = Number(form.isRepeat) + 2 * Number(form.hasClaims) + 4 * Number(form.hasExtras);
  const known = settleStatements.get(index);
  if (known !== undefined) return known;
  const made = makeSettleStatement(form);
  settleStatements.set(index, made);
  return made;
}

function makeSettleStatement({ isRepeat, hasClaims, hasExtras }: SettleForm): string {
  const count = SETTLE_PARAMETERS + (hasClaims ? CLAIM_PARAMETERS : 0);
  const repeat = isRepeat ? ', p_is_repeat => true' : '';
  const extras = hasExtras ? `, p_extras => $${count + 1}` : '';
  return `call commit_settle_receipts(${parameters(count)}${repeat}${extras})`;
}

/** A heartbeat seen on one server proves nothing about an epoch on another server, which may lack later heartbeats. */
const FENCE = `
  select fence_epoch($1, $2::timestamptz) as fenced where $3::text is null or $3 = ${TIMELINE}`;

const HEARTBEAT_SEEN = /^(\S+) (\S.*)$/;

interface HeartbeatRow {
  now_ms: number;
  timeline: string;
  peers: { id: string; heartbeat: string; timeout_ms: number; fenced: boolean }[];
}

/** Statements without a limit of their own may wait. */
const WAITING: Waiting = { waits: true };

interface ReapRow {
  last_purse: bigint | null;
  busy: bigint[] | null;
}

/** An amount beyond the column's range exceeds every purse too, so it is replaced by the largest one. */
function asAmount(amount: NanoUsd): string {
  return String(amount < AMOUNT_MAX ? amount : AMOUNT_MAX);
}

function asJson(requests: readonly DrawRequest[]): string {
  return JSON.stringify(
    requests.map(({ purse, ...request }, ordinal) => ({
      ordinal,
      workspace_id: purse.workspaceId,
      kind: purse.kind,
      subject_id: purse.subjectId,
      period: purse.period,
      window_start: new Date(purse.windowStartMs),
      window_end: purse.windowEndMs === null ? null : new Date(purse.windowEndMs),
      project_id: purse.projectId,
      sequence: String(request.sequence),
      keep: String(request.keep),
      slack: String(request.slack),
      needs: request.needs.map(asAmount),
      ahead: asAmount(request.ahead),
    })),
  );
}

function inUseJson(inUse: LeasesInUse): string | null {
  if (inUse === null) return null;
  return JSON.stringify(
    Object.fromEntries(Array.from(inUse, ([purseId, amount]) => [String(purseId), String(amount)])),
  );
}

/** Whether a batch was rejected because some of its receipts are settled already. */
function isKnownReceipt(fault: unknown): boolean {
  return fault instanceof SqlFault && fault.sqlState === UNIQUE_VIOLATION && RECEIPT_KEY.test(fault.constraint ?? '');
}

/**
 * The store of purses in PostgreSQL. Each method is one statement, usually a function of functions/, or a few tiny
 * transactions.
 */
export class PostgresPurseStore implements PurseStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async formerEpochs(instanceId: string): Promise<readonly bigint[]> {
    const rows = await this.#sql.query<{ id: bigint }>(
      'select id from epochs where instance_id = $1 and reaped_at is null order by id',
      [instanceId],
    );
    return rows.map(({ id }) => id);
  }

  async beginEpoch(instanceId: string, processName: string, timeoutMs: number): Promise<bigint> {
    const [epoch] = await this.#sql.query<{ id: bigint }>(
      'insert into epochs (instance_id, process_name, timeout_ms) values ($1, $2, $3) returning id',
      [instanceId, processName, timeoutMs],
    );
    assert(epoch !== undefined, 'an inserted epoch has an id');
    return epoch.id;
  }

  async timeline(): Promise<string> {
    const [row] = await this.#sql.query<{ timeline: string }>(`select ${TIMELINE} as timeline`, [], BRIEF);
    assert(row !== undefined, 'a server has a timeline');
    return row.timeline;
  }

  async heartbeat(epochId: bigint, inUse: LeasesInUse): Promise<HeartbeatReply> {
    const [row] = await this.#sql.query<HeartbeatRow>(HEARTBEAT, [epochId, inUseJson(inUse)], FREQUENT);
    if (row === undefined) throw new EpochFenced('this process was declared dead by another');
    return {
      databaseNowMs: row.now_ms,
      timeline: row.timeline,
      peers: row.peers.map(({ id, heartbeat, timeout_ms: timeoutMs, fenced }) => ({
        epochId: BigInt(id),
        heartbeat,
        timeoutMs,
        isFenced: fenced,
      })),
    };
  }

  async fence(epochId: bigint, heartbeat?: string): Promise<void> {
    const [, timeline = null, heartbeatAt = null] =
      heartbeat === undefined ? [] : (HEARTBEAT_SEEN.exec(heartbeat) ?? []);
    assert(heartbeat === undefined || timeline !== null, 'a heartbeat has the form in which the server returned it');
    const fencing = this.#sql.query<{ fenced: boolean }>(FENCE, [epochId, heartbeatAt, timeline]);
    const impatience = setTimeout(() => {
      // If this fails too, the next process that fences the epoch retries.
      this.#sql.query('select end_statements_of($1)', [epochId], BRIEF).catch(() => undefined);
    }, FENCE_PATIENCE_MS);
    const [row] = await fencing.finally(() => clearTimeout(impatience));
    if (row?.fenced === true) await this.#reap(epochId);
  }

  async draw(
    epochId: bigint,
    requests: readonly DrawRequest[],
    { waits } = WAITING,
  ): Promise<readonly (DrawReply | null)[]> {
    const values = [epochId, asJson(requests), waits];
    const drawing = this.#sql.query<{ leases: readonly (DrawnLease & { ordinal: number })[] | null }>(
      DRAW,
      values,
      FREQUENT,
    );
    const [drawn] = await noRowsIfBusy(withLeases(withFencing(drawing)));
    const replies: (DrawReply | null)[] = requests.map(() => null);
    for (const row of drawn?.leases ?? []) replies[row.ordinal] = toDrawReply(row);
    return replies;
  }

  async settle(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void> {
    // The leases of a batch that was settled already may have been charged in full since, or released.
    try {
      await this.#settle(epochId, receipts, answers, { isRepeat: false });
    } catch (fault) {
      if (!isKnownReceipt(fault) && !(fault instanceof LeaseGone)) throw fault;
      await this.#settle(epochId, receipts, answers, { isRepeat: true });
    }
  }

  async #settle(
    epochId: bigint,
    receipts: readonly Receipt[],
    answers: KeptAnswers,
    { isRepeat }: { readonly isRepeat: boolean },
  ): Promise<void> {
    const claims = claimArguments(receipts, answers);
    const extras = extrasArgument(receipts);
    const form = { isRepeat, hasClaims: claims !== null, hasExtras: extras !== null };
    const values = [epochId, ...settleArguments(receipts), ...(claims ?? []), ...(extras === null ? [] : [extras])];
    const isRare = isRepeat || form.hasClaims;
    const settled = this.#sql.query(settleStatement(form), values, isRare ? BRIEF : FREQUENT);
    await withClaims(withLeases(withFencing<unknown>(settled)));
  }

  async settleLate(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void> {
    await this.#reap(epochId);
    // A statement completes its claims at its end, so a second request with the same key must be in the next statement.
    let rest = receipts;
    while (rest.length > 0) {
      const { first, others } = oneForEachKey(rest);
      await this.#settleLate(epochId, first, answers);
      rest = others;
    }
  }

  async #settleLate(epochId: bigint, receipts: readonly Receipt[], answers: KeptAnswers): Promise<void> {
    const claims = claimArguments(receipts, answers) ?? NO_CLAIMS;
    await this.#sql.query(SETTLE_LATE, [epochId, lateReceiptsJson(receipts), ...claims]);
  }

  async quarantine(receipt: Receipt, reason: string): Promise<void> {
    await this.#sql.query(
      `insert into quarantined_receipts (request_id, receipt, reason) values ($1, $2, $3)
       on conflict (request_id) do nothing`,
      [receipt.requestId, receiptText(receipt), reason],
    );
    const { workspaceId, keyId, idempotencyKey, requestId } = receipt;
    if (idempotencyKey === null) return;
    const claim = [workspaceId, keyId, idempotencyKey, requestId];
    await this.#sql.query('select release_idempotency_key($1, $2, $3, $4, false)', claim);
  }

  async release(
    epochId: bigint,
    leases: readonly LeaseRelease[],
    { waits } = WAITING,
  ): Promise<readonly (true | null)[]> {
    const releasing = this.#sql.query<{ free: readonly bigint[] }>(
      RELEASE,
      [
        epochId,
        leases.map((lease) => lease.purseId),
        leases.map((lease) => lease.charged),
        leases.map((lease) => lease.sequence),
        waits,
      ],
      FREQUENT,
    );
    const [released] = await noRowsIfBusy(withFencing(releasing));
    const free = new Set(released?.free);
    return leases.map(({ purseId }) => (free.has(purseId) ? true : null));
  }

  /**
   * Releases the leases of a fenced epoch; those of a live one are kept. Leases that stay locked are left to the next
   * process that finds a fenced epoch with leases.
   */
  async #reap(epochId: bigint): Promise<void> {
    const passedOver: bigint[] = [];
    let after: bigint | null = 0n;
    while (after !== null) {
      const [row]: readonly ReapRow[] = await this.#sql.query<ReapRow>(REAP, [epochId, after, LEASES_PER_REAP, false]);
      passedOver.push(...(row?.busy ?? []));
      after = row?.last_purse ?? null;
    }
    for (const purse of passedOver) await noRowsIfBusy(this.#sql.query(REAP, [epochId, purse - 1n, 1, true]));
  }
}

/** Splits receipts, in order: those without an Idempotency-Key and the first with each key, and the rest. */
function oneForEachKey(receipts: readonly Receipt[]): { first: readonly Receipt[]; others: readonly Receipt[] } {
  const first: Receipt[] = [];
  const others: Receipt[] = [];
  const keys = new Set<string>();
  for (const receipt of receipts) {
    const { keyId, idempotencyKey } = receipt;
    const isFirst = idempotencyKey === null || !keys.has(`${keyId} ${idempotencyKey}`);
    if (idempotencyKey !== null) keys.add(`${keyId} ${idempotencyKey}`);
    (isFirst ? first : others).push(receipt);
  }
  return { first, others };
}
