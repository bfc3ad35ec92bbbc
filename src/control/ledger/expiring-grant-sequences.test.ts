import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, granted, openAccount, Spender, workspaceNow } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { letGrantsAge } from '../../../test/support/moved-time.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql } from '../../lib/sql.ts';
import { correctReceipt } from './corrections.ts';
import { listExpiringGrants, postExpiries } from './expiring-grants.ts';
import { postCredit } from './postings.ts';

// The database learns of charges by their sum alone. The model is charged one request after the other, and knows at each moment which
// grant that one took: after each step both have the same left of each grant, and the same balance.

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

type Step =
  | { readonly step: 'grant'; readonly amount: bigint; readonly days: number | null }
  | { readonly step: 'take'; readonly amount: bigint }
  | { readonly step: 'request'; readonly hold: bigint; readonly part: number }
  | { readonly step: 'correct'; readonly receipt: number; readonly part: number }
  | { readonly step: 'pass'; readonly days: number }
  | { readonly step: 'return' };

const amount = fc.bigInt({ min: 1n, max: 300n });
const part = fc.integer({ min: 0, max: 100 });
const days = fc.integer({ min: 1, max: 30 });
const request: fc.Arbitrary<Step> = fc.record({ step: fc.constant('request' as const), hold: amount, part });
const steps = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('grant' as const), amount, days }),
    fc.record({ step: fc.constant('grant' as const), amount, days: fc.option(days) }),
    fc.record({ step: fc.constant('take' as const), amount }),
    request,
    request,
    request,
    fc.record({ step: fc.constant('correct' as const), receipt: fc.nat(), part }),
    fc.record({ step: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 15 }) }),
    fc.constant<Step>({ step: 'return' }),
  ),
  { minLength: 8, maxLength: 24 },
);

interface Bucket {
  readonly id: string;
  readonly amount: bigint;
  /** Days from now. */
  expires: number;
  left: bigint;
  /** Charges to other credit before it was given. */
  readonly otherBefore: bigint;
  readonly receiptsBefore: number;
  /** When its expiry was first posted; days before now. */
  looked: number | null;
}

interface Charged {
  readonly requestId: string;
  readonly hold: bigint;
  readonly charge: bigint;
  net: bigint;
}

const least = (...values: bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a));
const most = (a: bigint, b: bigint): bigint => (b > a ? b : a);

class Model {
  buckets: Bucket[] = [];
  /** Credit posted, less what is owed of it. */
  limit = 0n;
  owed = 0n;
  other = 0n;
  readonly receipts: Charged[] = [];

  get charges(): bigint {
    return this.receipts.reduce((sum, { charge }) => sum + charge, 0n);
  }

  get balance(): bigint {
    return this.limit - this.owed - this.charges;
  }

  /** Those that live, the earliest expiry first. */
  get #order(): Bucket[] {
    return this.buckets.toSorted((a, b) => a.expires - b.expires || (a.id < b.id ? -1 : 1));
  }

  /** Takes from the grants; returns what they lack. */
  take(by: bigint): bigint {
    let rest = by;
    for (const bucket of this.#order) {
      const taken = least(rest, bucket.left);
      bucket.left -= taken;
      rest -= taken;
    }
    return rest;
  }

  charge(receipt: Charged): void {
    this.receipts.push(receipt);
    this.other += this.take(receipt.charge);
  }

  /** A posting that is neither an expiring grant nor a correction. */
  post(by: bigint, free: bigint): void {
    const owed = by >= 0n ? least(by, this.owed) : least(0n, by + free);
    this.limit += by - owed;
    this.owed -= owed;
    const covered = this.limit - this.charges;
    const left = this.buckets.reduce((sum, bucket) => sum + bucket.left, 0n);
    this.take(most(0n, left - covered));
  }

  grant(id: string, by: bigint, expires: number): void {
    const credit = by - least(by, this.owed);
    this.owed -= by - credit;
    this.limit += credit;
    const receiptsBefore = this.receipts.length;
    this.buckets.push({
      id,
      amount: credit,
      left: credit,
      expires,
      otherBefore: this.other,
      receiptsBefore,
      looked: null,
    });
  }

  /** A correction of a receipt by its number, above zero if it gives back. */
  correct(index: number, by: bigint, free: bigint): void {
    const owed = by >= 0n ? least(by, this.owed) : least(0n, by + free);
    if (by > 0n) this.#giveBack(index, by - owed);
    if (by < 0n) this.take(-(by - owed));
    this.post(by, free);
  }

  #giveBack(index: number, by: bigint): void {
    const eligible = this.#order.filter(({ expires, receiptsBefore }) => expires > 0 && receiptsBefore <= index);
    const [first] = eligible;
    if (first === undefined) return;
    const before = eligible.reduce((lowest, { otherBefore }) => least(lowest, otherBefore), first.otherBefore);
    const toOther = least(by, most(0n, this.other - before));
    this.other -= toOther;
    let rest = by - toOther;
    for (const bucket of eligible.toReversed()) {
      const back = least(rest, bucket.amount - bucket.left);
      bucket.left += back;
      rest -= back;
    }
  }
}

class Run {
  readonly model = new Model();
  readonly #account: Account;
  #spender: Spender;

  constructor(account: Account, spender: Spender) {
    this.#account = account;
    this.#spender = spender;
  }

  async take(step: Step): Promise<void> {
    if (step.step === 'grant') await this.#grant(step);
    if (step.step === 'take') await this.#take(step.amount);
    if (step.step === 'request') await this.#request(step.hold, (step.hold * BigInt(step.part)) / 100n);
    if (step.step === 'correct') await this.#correct(step);
    if (step.step === 'pass') await this.pass(step.days);
    if (step.step === 'return') await this.end();
    await this.#check();
  }

  async #grant({ amount: by, days: after }: Extract<Step, { step: 'grant' }>): Promise<void> {
    const expiresAt = after === null ? null : new Date(Date.now() + after * 86_400_000);
    const posting = { kind: 'grant', amount: by, reason: 'by chance', expiresAt } as const;
    const { id } = granted(await postCredit(sql, scopeOf(this.#account.workspace.id), posting));
    if (after === null) this.model.post(by, 0n);
    else this.model.grant(id, by, after);
  }

  async #take(by: bigint): Promise<void> {
    const { free } = await this.#purse();
    const posting = { kind: 'adjustment', amount: -by, reason: 'by chance' } as const;
    granted(await postCredit(sql, scopeOf(this.#account.workspace.id), posting));
    this.model.post(-by, free);
  }

  async #request(hold: bigint, charge: bigint): Promise<void> {
    const spent = await this.#spender.spend(this.#account, { hold, charge }).catch(() => null);
    assert((spent !== null) === hold <= this.model.balance, 'a request is admitted exactly if its hold is covered');
    if (spent !== null) this.model.charge({ requestId: spent.requestId, hold, charge, net: charge });
  }

  async #correct({ receipt, part: share }: Extract<Step, { step: 'correct' }>): Promise<void> {
    const { receipts } = this.model;
    const index = receipt % Math.max(1, receipts.length);
    const chosen = receipts[index];
    if (chosen === undefined) return;
    const charge = (chosen.hold * BigInt(share)) / 100n;
    if (charge === chosen.net) return;
    const { free } = await this.#purse();
    const scope = scopeOf(this.#account.workspace.id);
    granted(await correctReceipt(sql, scope, { requestId: chosen.requestId, charge, reason: 'by chance' }));
    this.model.correct(index, chosen.net - charge, free);
    chosen.net = charge;
  }

  /** Days pass, and what has expired is posted: twice, as two processes do. */
  async pass(by: number): Promise<void> {
    await letGrantsAge(sql, this.#account.workspace.id, `${by} days`);
    for (const bucket of this.model.buckets) {
      bucket.expires -= by;
      if (bucket.looked !== null) bucket.looked += by;
    }
    for (let process = 1; process <= 2; process++) {
      const due = this.model.buckets
        .filter(({ expires }) => expires <= 0)
        .toSorted((a, b) => Number(a.looked !== null) - Number(b.looked !== null) || a.expires - b.expires);
      for (const bucket of due) {
        const { free, uncharged } = await this.#purse();
        await sql.query('select expire_grant($1, $2, $3)', [this.#account.workspace.id, bucket.id, 'expiry']);
        const isLate = bucket.looked !== null && bucket.looked > 1;
        const certain = bucket.looked === null ? bucket.left : most(0n, bucket.left - uncharged);
        const taken = isLate ? bucket.left : least(free, certain);
        bucket.left -= taken;
        bucket.looked ??= 0;
        this.model.post(-taken, free);
        if (bucket.left === 0n) this.model.buckets = this.model.buckets.filter((other) => other !== bucket);
      }
    }
  }

  async end(): Promise<void> {
    await this.#spender.end();
    this.#spender = await Spender.begin(sql);
  }

  async #purse(): Promise<{ free: bigint; uncharged: bigint }> {
    const [purse] = await sql.query<{ free: bigint; uncharged: bigint }>(
      `select limit_nano_usd - spent_nano_usd - leased_nano_usd as free, (leased_nano_usd - (
         select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = purses.id
       ))::bigint as uncharged from purses where workspace_id = $1 and kind = 'credit'`,
      [this.#account.workspace.id],
    );
    assert(purse !== undefined, 'a workspace has a purse');
    return purse;
  }

  async #check(): Promise<void> {
    const { workspace } = this.#account;
    const left = (await listExpiringGrants(sql, scopeOf(workspace.id))).items.map(({ id, left: rest }) => [id, rest]);
    const expected = this.model.buckets.filter(({ left: rest }) => rest > 0n).map(({ id, left: rest }) => [id, rest]);
    const text = (rests: readonly (readonly (string | bigint)[])[]): string =>
      rests
        .map(String)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .join(' ');
    assert(text(left) === text(expected), `left is ${text(left)} and not ${text(expected)}`);
    assert((await workspaceNow(sql, workspace.id)).balance === this.model.balance, 'the balance is that of the model');
  }
}

test('what is left of each grant is what charging one request after the other leaves, in any sequence', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const run = new Run(await openAccount(sql), await Spender.begin(sql));
      for (const step of sequence) await run.take(step);
      await run.end();
      await run.pass(40);
      expect(run.model.buckets).toEqual([]);
      await postExpiries(sql);
      expect(await verifyLedger(sql)).toMatchObject({ ok: true });
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
