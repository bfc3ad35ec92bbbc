import fc from 'fast-check';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostgresKeyStore } from '../../src/program/database/key-store.ts';
import { PostgresPurseStore } from '../../src/program/database/purse-store.ts';
import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { Receipt, ServedPurse } from '../../src/domain/receipt.ts';
import { PERIODS, windowAt } from '../../src/domain/window.ts';
import { SqlFault } from '../../src/lib/sql.ts';
import {
  type BriefKind,
  type DrawReply,
  type DrawRequest,
  type FirstDraw,
  isBriefKind,
  type LookedUp,
  NO_ROW,
  type PurseKind,
  type PurseName,
} from '../../src/gate/purses/ports/database.ts';
import { drawAll, limitMaker, openAccount } from '../support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { MemoryStore } from './memory-store.ts';
import { receiptDraft } from './receipt-draft.ts';

// The simulation is worth what its model of the database is worth: every step of chance sequences, sensible or not, has
// the same answer and leaves the same rows in the real one.

const EPOCHS = 3;
const KINDS = ['credit', 'project', 'member', 'key', 'end_user', 'session'] as const satisfies readonly PurseKind[];
const LARGEST = 1_000n;
const HOUR_MS = 3_600_000;
/** Of a key that nobody has. */
const UNKNOWN = randomBytes(32);

let testDatabase: TestDatabase;
let store: PostgresPurseStore;
let keyStore: PostgresKeyStore;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  store = new PostgresPurseStore(testDatabase.database);
  keyStore = new PostgresKeyStore(testDatabase.database);
});
afterAll(() => testDatabase.stop());

const amount = fc.oneof(fc.bigInt(0n, LARGEST), fc.bigInt(0n, LARGEST / 20n));
const epoch = fc.integer({ min: 0, max: EPOCHS - 1 });
const kind = fc.constantFrom(...KINDS);
const oneIn = (count: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: count }).map((drawn) => drawn === 1);

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('draw'),
      epoch,
      kinds: fc.uniqueArray(kind, { minLength: 1, maxLength: 6 }),
      held: amount,
      slack: fc.oneof(fc.constant(0n), amount),
      needs: fc.array(amount, { maxLength: 3 }),
      ahead: amount,
      isRepeat: oneIn(5),
      isFalse: oneIn(20),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('settle'),
      epoch,
      charges: fc.array(fc.oneof(fc.constant(0n), fc.bigInt(0n, LARGEST / 10n)), { minLength: 1, maxLength: 3 }),
      repeats: fc.integer({ min: 0, max: 3 }),
      isTwice: oneIn(4),
      isLate: oneIn(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('limit'),
      kind,
      limit: fc.option(fc.bigInt(0n, 8n * LARGEST), { freq: 3 }),
      raise: fc.option(fc.record({ limit: fc.bigInt(0n, 8n * LARGEST), isOver: oneIn(3) }), { freq: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('look up'), epoch, ahead: amount, isKnown: oneIn(2), isRepeat: oneIn(4) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), epoch, kind, isFalse: oneIn(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fence'), epoch }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The same thing of both. */
interface Sides<Value> {
  readonly real: Value;
  readonly model: Value;
}

const NOTHING: Sides<undefined> = { real: undefined, model: undefined };

/** The same things done to both, and what each side says. */
class Both {
  readonly #model = new MemoryStore();
  readonly #names: Readonly<Record<PurseKind, PurseName>>;
  readonly #principal: Principal;
  readonly #epochs: { real: bigint; model: bigint }[] = [];
  readonly #last = new Map<string, DrawRequest>();
  readonly #lastFirst = new Map<number, FirstDraw>();
  readonly #secret: Buffer;
  readonly #nowMs = Date.now();
  readonly #settled: ReturnType<typeof receiptDraft>[] = [];
  readonly #purseIds = { real: new Map<PurseKind, bigint>(), model: new Map<PurseKind, bigint>() };
  #sequence = 0n;

  private constructor(principal: Principal, secret: Buffer) {
    this.#secret = secret;
    const { workspaceId, projectId, keyId, memberLimitId } = principal;
    const name = (of: PurseKind, subjectId: string, period: 'never' | 'month'): PurseName => {
      const { startMs: windowStartMs, endMs: windowEndMs } = windowAt(period, this.#nowMs);
      return { workspaceId, kind: of, subjectId, period, windowStartMs, windowEndMs, projectId };
    };
    this.#principal = principal;
    this.#names = {
      credit: name('credit', workspaceId, 'never'),
      project: name('project', projectId, 'month'),
      member: name('member', memberLimitId ?? '', 'month'),
      key: name('key', keyId, 'month'),
      end_user: name('end_user', randomUUID(), 'month'),
      session: name('session', randomUUID(), 'month'),
    };
  }

  static async begin(): Promise<Both> {
    const account = await openAccount(testDatabase.database, { credit: 5n * LARGEST });
    const memberLimitId = await limitMaker(testDatabase.database, account.key, 10n * LARGEST);
    const principal: Principal = {
      workspaceId: account.workspace.id,
      projectId: account.project.id,
      keyId: account.key.id,
      policies: [null, null],
      expiresAtMs: null,
      rateLimits: { requestsPerMinute: null, tokensPerMinute: null, concurrency: null },
      budgetPeriod: 'month',
      memberLimitId,
      modelWhenSpent: null,
      movedTo: null,
      isPaused: false,
      servedLimits: null,
      served: null,
      reportsCost: false,
      isAllowedFrom: null,
      suspension: null,
    };
    const both = new Both(principal, hash('sha256', account.key.key, 'buffer'));
    both.#model.keys.set(principal.keyId, principal);
    both.#model.setLimit('credit', account.workspace.id, 5n * LARGEST);
    both.#model.setLimit('member', memberLimitId, 10n * LARGEST);
    both.#model.purse(both.#names.credit);
    for (let count = 0; count < EPOCHS; count++) {
      both.#epochs.push({
        real: await store.beginEpoch(randomUUID(), 'test', 30_000),
        model: both.#model.beginEpoch(),
      });
    }
    return both;
  }

  /** Does it, and answers with what each side has said and how it stands then. */
  async take(taken: Step): Promise<Sides<object>> {
    const said = await this.#do(taken);
    return {
      real: { said: said.real, rows: await this.#realRows() },
      model: { said: said.model, rows: this.#modelRows() },
    };
  }

  async #do(taken: Step): Promise<Sides<unknown>> {
    switch (taken.do) {
      case 'draw':
        return await this.#draw(taken);
      case 'look up':
        return await this.#lookUp(taken);
      case 'settle':
        return await this.#settle(taken);
      case 'limit':
        return await this.#limit(taken);
      case 'release':
        return await this.#release(taken);
      default:
        return await this.#fence(taken.epoch);
    }
  }

  async #draw(taken: Step & { do: 'draw' }): Promise<Sides<unknown>> {
    const requests = taken.kinds.map((of) => this.#request(taken, of));
    const { real, model } = this.#epoch(taken.epoch);
    const note = (side: 'real' | 'model', replies: readonly DrawReply[]): object =>
      replies.map(({ purseId, ...rest }, index) => {
        const of = taken.kinds[index] ?? 'credit';
        if (purseId !== NO_ROW) this.#purseIds[side].set(of, purseId);
        return { ...rest, hasRow: purseId !== NO_ROW };
      });
    return await sides(
      async () => note('real', await drawAll(store, real, requests)),
      () => note('model', this.#model.draw(model, requests)),
    );
  }

  /** Looks the key up, or one that nobody has, with the first draws for it. */
  async #lookUp({ epoch: at, ahead, isKnown, isRepeat }: Step & { do: 'look up' }): Promise<Sides<unknown>> {
    const before = this.#lastFirst.get(at);
    if (!isRepeat || before === undefined) this.#sequence += 1n;
    const draw: FirstDraw = isRepeat && before !== undefined ? before : this.#firstDraw(ahead);
    this.#lastFirst.set(at, draw);
    const { real, model } = this.#epoch(at);
    const note = (side: 'real' | 'model', { principals, leases }: LookedUp): object => {
      for (const of of KINDS) {
        const reply = leases.get(this.#names[of].subjectId);
        if (reply !== undefined) this.#purseIds[side].set(of, reply.purseId);
      }
      return {
        principals: principals.map((principal) => principal && { ...principal, servedLimits: null }),
        leases: new Map([...leases].map(([subject, reply]) => [subject, { ...reply, purseId: 0n }])),
      };
    };
    const secrets = { real: this.#secret, model: Buffer.from(this.#principal.keyId) };
    const asked = (side: 'real' | 'model'): readonly Buffer[] =>
      isKnown ? [UNKNOWN, secrets[side], secrets[side]] : [UNKNOWN];
    return await sides(
      async () => note('real', await keyStore.findAndDraw(real, asked('real'), draw)),
      () => note('model', this.#model.findAndDraw(model, asked('model'), draw)),
    );
  }

  #firstDraw(ahead: bigint): FirstDraw {
    const windows = PERIODS.map((period) => windowAt(period, this.#nowMs));
    return { windows, sequence: this.#sequence, ahead, permitSequence: Number(this.#sequence), tokens: 1 };
  }

  /** A request as a process would make it, one that was sent before, or one that keeps what it was never given. */
  #request(taken: Step & { do: 'draw' }, of: PurseKind): DrawRequest {
    const key = `${taken.epoch} ${of}`;
    const before = this.#last.get(key);
    if (taken.isRepeat && before !== undefined) return before;
    this.#sequence += 1n;
    const lease = this.#modelLease(taken.epoch, of);
    const granted = lease?.granted ?? 0n;
    const charged = lease?.charged ?? 0n;
    const most = lease?.open === true ? charged + taken.held : granted;
    const wanted = charged + taken.held + taken.slack;
    const keep = taken.isFalse ? wanted : wanted < most ? wanted : most;
    const slack = taken.slack < keep - charged ? taken.slack : keep > charged ? keep - charged : 0n;
    const { needs, ahead } = taken;
    const request = { purse: this.#names[of], sequence: this.#sequence, keep, slack, needs, ahead };
    this.#last.set(key, request);
    return request;
  }

  async #settle({ epoch: of, charges, repeats, isTwice, isLate }: Step & { do: 'settle' }): Promise<Sides<unknown>> {
    if (KINDS.some((each) => !this.#purseIds.model.has(each))) return NOTHING;
    const fresh = charges.map((charge) => receiptDraft(this.#principal, charge));
    const drafts = [...fresh, ...this.#settled.slice(-repeats), ...(isTwice ? fresh : [])];
    const { real, model } = this.#epoch(of);
    const receipts = (side: 'real' | 'model'): readonly Receipt[] => drafts.map((draft) => this.#receipt(draft, side));
    const said = await sides(
      () =>
        isLate ? store.settleLate(real, receipts('real'), new Map()) : store.settle(real, receipts('real'), new Map()),
      () => (isLate ? this.#model.settleLate(model, receipts('model')) : this.#model.settle(model, receipts('model'))),
    );
    if (said.model === undefined) this.#settled.push(...fresh);
    return said;
  }

  /** A raise is over, or ends an hour later than all steps. */
  async #limit({ kind: of, limit, raise: given }: Step & { do: 'limit' }): Promise<Sides<unknown>> {
    const { subjectId } = this.#names[of];
    const { projectId } = this.#principal;
    const untilMs = this.#nowMs + (given?.isOver === true ? -HOUR_MS : HOUR_MS);
    const raise = given === null || of === 'credit' || isBriefKind(of) ? null : { limit: given.limit, untilMs };
    const values = [subjectId, limit, raise?.limit ?? null, raise && new Date(raise.untilMs)];
    const raised = ', raised_limit_nano_usd = $3, raised_until = $4 where';
    return await sides(
      () =>
        testDatabase.database.transaction(async (tx) => {
          if (of === 'project') await tx.query(`update projects set budget_nano_usd = $2${raised} id = $1`, values);
          if (of === 'key') await tx.query(`update keys set spend_limit_nano_usd = $2${raised} id = $1`, values);
          if (of === 'end_user')
            await tx.query('update projects set end_user_limit_nano_usd = $2 where id = $1', [projectId, limit]);
          if (of === 'session')
            await tx.query('update projects set session_limit_nano_usd = $2 where id = $1', [projectId, limit]);
          if (isBriefKind(of)) return;
          if (of === 'member')
            await tx.query(`update member_limits set monthly_limit_nano_usd = $2${raised} id = $1`, values);
          await tx.query(`update purses set limit_nano_usd = $2${raised} subject_id = $1`, values);
        }),
      () => this.#model.setLimit(of, subjectId, limit, raise),
    );
  }

  async #release({ epoch: at, kind: of, isFalse }: Step & { do: 'release' }): Promise<Sides<unknown>> {
    const lease = this.#modelLease(at, of);
    if (lease === undefined) return NOTHING;
    const sequence = isFalse ? lease.sequence - 1n : lease.sequence;
    const { charged } = lease;
    const { real, model } = this.#epoch(at);
    const release = (side: 'real' | 'model') => [{ purseId: this.#purseIds[side].get(of) ?? 0n, charged, sequence }];
    return await sides(
      () => store.release(real, release('real')),
      () => this.#model.release(model, release('model')),
    );
  }

  async #fence(at: number): Promise<Sides<unknown>> {
    const { real, model } = this.#epoch(at);
    return await sides(
      () => store.fence(real),
      () => this.#model.fence(model),
    );
  }

  #epoch(index: number): { real: bigint; model: bigint } {
    const found = this.#epochs[index];
    if (found === undefined) throw new RangeError('there is no such epoch');
    return found;
  }

  #modelLease(index: number, of: PurseKind) {
    const id = this.#purseIds.model.get(of);
    return id === undefined ? undefined : this.#model.epochs.get(this.#epoch(index).model)?.leases.get(id);
  }

  #receipt(draft: ReturnType<typeof receiptDraft>, side: 'real' | 'model'): Receipt {
    const id = (of: PurseKind): bigint => this.#purseIds[side].get(of) ?? 0n;
    const served = (of: BriefKind): ServedPurse => {
      const { subjectId, windowStartMs: startMs, windowEndMs: endMs } = this.#names[of];
      return { purseId: id(of), subjectId, window: { period: 'month', startMs, endMs } };
    };
    return {
      ...draft,
      hold: draft.charge,
      creditPurseId: id('credit'),
      projectPurseId: id('project'),
      keyPurseId: id('key'),
      memberPurseId: id('member'),
      endUserPurse: served('end_user'),
      sessionPurse: served('session'),
      projectWindow: windowAt('month', Date.now()),
      keyWindow: windowAt('month', Date.now()),
    };
  }

  /** Purses that have been drawn from, with their leases, by kind and epoch. */
  async #realRows(): Promise<object> {
    const { workspaceId } = this.#principal;
    const purses = await testDatabase.database.query<PurseRow & { id: bigint }>(
      `select id, kind, limit_nano_usd as limit, spent_nano_usd as spent, leased_nano_usd as leased, mode
         from purses where workspace_id = $1`,
      [workspaceId],
    );
    const leases = await testDatabase.database.query<LeaseRow & { epoch: bigint; purse: bigint }>(
      `select epoch_id as epoch, purse_id as purse, granted_nano_usd as granted, charged_nano_usd as charged, open, sequence
       from leases where purse_id in (select id from purses where workspace_id = $1)`,
      [workspaceId],
    );
    return this.#rows(
      purses.map(({ id, ...purse }) => ({
        ...purse,
        leases: leases
          .filter((lease) => lease.purse === id)
          .map(({ epoch: real, granted, charged, open, sequence }) => ({
            epoch: this.#epochs.findIndex((each) => each.real === real),
            granted,
            charged,
            open,
            sequence,
          })),
      })),
    );
  }

  #modelRows(): object {
    return this.#rows(
      [...this.#model.purses.values()].map(({ id, name, limit, spent, leased, mode }) => ({
        kind: name.kind,
        limit,
        spent,
        leased,
        mode,
        leases: this.#epochs.flatMap(({ model }, index) => {
          const lease = this.#model.epochs.get(model)?.leases.get(id);
          return lease === undefined ? [] : [{ ...lease, epoch: index }];
        }),
      })),
    );
  }

  #rows(purses: readonly { kind: PurseKind; leases: readonly { epoch: number }[] }[]): object {
    const drawn = purses.filter(({ kind: of }) => this.#purseIds.model.has(of));
    return Object.fromEntries(
      drawn.map((purse) => [
        purse.kind,
        { ...purse, leases: purse.leases.toSorted((one, other) => one.epoch - other.epoch) },
      ]),
    );
  }
}

interface PurseRow {
  readonly kind: PurseKind;
  readonly limit: NanoUsd | null;
  readonly spent: NanoUsd;
  readonly leased: NanoUsd;
  readonly mode: string;
}

interface LeaseRow {
  readonly granted: NanoUsd;
  readonly charged: NanoUsd;
  readonly open: boolean;
  readonly sequence: bigint;
}

/** What each says, or why it refuses. */
async function sides(real: () => Promise<unknown>, model: () => unknown): Promise<Sides<unknown>> {
  const said = await (async () => model())().catch(reasonOf);
  return { real: await real().catch(reasonOf), model: said };
}

/** A lease that is gone and one that is too small are one reason: which is found first says nothing. */
function reasonOf(fault: unknown): string {
  const cause = fault instanceof Error && fault.cause instanceof SqlFault ? fault.cause : fault;
  if (!(cause instanceof SqlFault)) return cause instanceof Error ? cause.name : String(cause);
  if (cause.sqlState === 'FG001') return 'EpochFenced';
  if (cause.sqlState === 'FG002' || cause.constraint === 'leases_charged_within_grant') return 'LeaseGone';
  return cause.constraint ?? cause.sqlState;
}

test('the model of the database says and does what the database does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
      const both = await Both.begin();
      for (const taken of steps) {
        const { real, model } = await both.take(taken);
        expect(real).toEqual(model);
      }
    }),
    { numRuns: 40 },
  );
});
