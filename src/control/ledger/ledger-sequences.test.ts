import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount, Spender, type Account, workspaceNow } from '../../../test/support/accounts.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql } from '../../lib/sql.ts';
import { correctReceipt } from './corrections.ts';
import type { PostingKind } from './posting.ts';
import { postCredit } from './postings.ts';

// Whatever is posted, charged and corrected in whatever order: after each step the books balance, and the workspace
// stands where a plain sum says it must.

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

type Step =
  | { readonly step: 'post'; readonly kind: PostingKind; readonly amount: bigint }
  | { readonly step: 'request'; readonly hold: bigint; readonly part: number }
  | { readonly step: 'correct'; readonly receipt: number; readonly part: number }
  | { readonly step: 'return' };

const amount = fc.bigInt({ min: 1n, max: 500n });
const part = fc.integer({ min: 0, max: 100 });
const post = (kind: PostingKind, sign: 1n | -1n): fc.Arbitrary<Step> =>
  amount.map((value) => ({ step: 'post', kind, amount: sign * value }));
const steps = fc.array(
  fc.oneof(
    post('top_up', 1n),
    post('grant', 1n),
    post('refund', -1n),
    post('dispute', -1n),
    post('dispute', 1n),
    post('adjustment', 1n),
    post('adjustment', -1n),
    fc.record({ step: fc.constant('request' as const), hold: amount, part }),
    fc.record({ step: fc.constant('request' as const), hold: amount, part }),
    fc.record({ step: fc.constant('correct' as const), receipt: fc.nat(), part }),
    fc.constant<Step>({ step: 'return' }),
  ),
  { minLength: 5, maxLength: 14 },
);

interface Charged {
  readonly requestId: string;
  readonly hold: bigint;
  readonly charge: bigint;
  net: bigint;
}

/** The account as a plain sum has it. */
class Model {
  posted = 0n;
  disputed = 0n;
  /** What was paid and has not gone back. */
  paid = 0n;
  readonly receipts: Charged[] = [];

  get charges(): bigint {
    return this.receipts.reduce((sum, { charge }) => sum + charge, 0n);
  }

  get balance(): bigint {
    return this.posted - this.receipts.reduce((sum, { net }) => sum + net, 0n);
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
    if (step.step === 'post') await this.#post(step.kind, step.amount);
    if (step.step === 'request') await this.#request(step.hold, (step.hold * BigInt(step.part)) / 100n);
    if (step.step === 'correct') await this.#correct(step);
    if (step.step === 'return') await this.end();
    await this.#check();
  }

  async #post(kind: PostingKind, by: bigint): Promise<void> {
    const scope = scopeOf(this.#account.workspace.id);
    const posted = await postCredit(sql, scope, { kind, amount: by, reason: 'by chance' });
    const isBeyond = (kind === 'dispute' && by > this.model.disputed) || (kind === 'refund' && -by > this.model.paid);
    assert(isRefusal(posted) === isBeyond, 'a posting is refused exactly if it gives back more than was taken');
    if (isRefusal(posted)) return;
    this.model.posted += by;
    if (['top_up', 'refund', 'dispute'].includes(kind)) this.model.paid += by;
    if (kind === 'dispute') this.model.disputed -= by;
    assert(posted.balance === this.model.balance, 'a posting tells the balance that it leads to');
  }

  /** A request is admitted exactly if its hold is covered by what is neither owed nor charged. */
  async #request(hold: bigint, charge: bigint): Promise<void> {
    const spent = await this.#spender.spend(this.#account, { hold, charge }).catch(() => null);
    assert((spent !== null) === hold <= this.model.balance, 'a request is admitted exactly if its hold is covered');
    if (spent !== null) this.model.receipts.push({ requestId: spent.requestId, hold, charge, net: charge });
    // What the hold didn't need stays leased until the next request or return: postings meet it there.
  }

  async #correct({ receipt, part: share }: Extract<Step, { step: 'correct' }>): Promise<void> {
    const { receipts } = this.model;
    const chosen = receipts[receipt % Math.max(1, receipts.length)];
    if (chosen === undefined) return;
    const charge = (chosen.hold * BigInt(share)) / 100n;
    const request = { requestId: chosen.requestId, charge, reason: 'by chance' };
    const posted = await correctReceipt(sql, scopeOf(this.#account.workspace.id), request);
    assert(!isRefusal(posted), 'a correction within the hold is made');
    assert((posted === null) === (charge === chosen.net), 'nothing is posted exactly if nothing changes');
    chosen.net = charge;
  }

  async end(): Promise<void> {
    await this.#spender.end();
    this.#spender = await Spender.begin(sql);
  }

  async #check(): Promise<void> {
    const { workspace } = this.#account;
    const { balance, receipts } = this.model;
    assert((await workspaceNow(sql, workspace.id))?.balance === balance, 'the balance is what the plain sum says');
    const [purses] = await sql.query<{ used: string; least: bigint }>(
      `select sum(spent_nano_usd - corrected_nano_usd + charged) filter (where kind <> 'credit')::text as used,
         min(limit_nano_usd - spent_nano_usd - leased_nano_usd) filter (where kind = 'credit') as least
       from purses cross join lateral (
         select coalesce(sum(charged_nano_usd), 0) as charged from leases where purse_id = purses.id
       ) leased where workspace_id = $1`,
      [workspace.id],
    );
    const net = receipts.reduce((sum, receipt) => sum + receipt.net, 0n);
    assert(BigInt(purses?.used ?? '0') === 2n * net, 'project and key have used what requests cost in the end');
    assert((purses?.least ?? -1n) >= 0n, 'the credit is never overdrawn');
  }
}

test('any sequence of postings, requests and corrections keeps the books', async () => {
  let charges = 0n;
  let balance = 0n;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const account = await openAccount(sql);
      const run = new Run(account, await Spender.begin(sql));
      for (const step of sequence) await run.take(step);
      await run.end();
      charges += run.model.charges;
      balance += run.model.balance;
      expect(await verifyLedger(sql)).toMatchObject({ ok: true, charges, balance });
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
