import type { Principal } from '../../src/domain/principal.ts';
import { Permit } from '../../src/gate/purses/permits/permit.ts';
import type { RateExceeded } from '../../src/gate/purses/permits/permit.ts';
import type { Spending } from '../../src/gate/purses/spending.ts';
import { TOKENS_LARGEST } from './callers.ts';
import { BUSY_MS, type FleetOracle, type Pending, TAKE_OVER_MS } from './fleet-oracle.ts';
import type { Process } from './machine.ts';
import { must } from './must.ts';
import type { Random } from './random.ts';
import type { RateOracle, Taken } from './rate-oracle.ts';
import type { SharedDatabase } from './shared-database.ts';

/** A request that its project's rate limits have let through. */
export interface Admitted {
  readonly permit: Permit;
  readonly taken: Taken;
  readonly quoted: number;
}

/** Stock of no more than this part of a limit may stay where it is, though nobody asks for it. */
const IMMATERIAL_PART = 64;

/** Takes requests past their projects' rate limits and ends them there, and holds what they are told against the oracle. */
export class Admissions {
  readonly #random: Random;
  readonly #database: SharedDatabase;
  readonly #money: FleetOracle;
  readonly #rates: RateOracle;
  /** Nothing has been disturbed yet. */
  isUndisturbed = true;
  readonly answered = { permitted: 0, exceeded: 0, unknown: 0 };

  constructor(random: Random, database: SharedDatabase, oracles: { money: FleetOracle; rates: RateOracle }) {
    this.#random = random;
    this.#database = database;
    this.#money = oracles.money;
    this.#rates = oracles.rates;
  }

  /** Null where the request is refused. @throws Error if it should not have been, or should have been */
  async admit(spending: Spending, principal: Principal, pending: Pending, processes: number): Promise<Admitted | null> {
    const quoted = this.#random.between(0, TOKENS_LARGEST);
    const { epochId } = spending.purses;
    const outcome = await spending.permits.take(principal, quoted);
    this.#money.observe();
    if (outcome instanceof Permit) {
      this.answered.permitted += 1;
      const taken = this.#taken(epochId, principal, pending, quoted);
      const fault = this.#rates.take(taken);
      if (fault !== null) throw new Error(fault);
      return { permit: outcome, taken, quoted };
    }
    if (outcome.kind === 'unavailable') {
      this.answered.unknown += 1;
      must(pending.everUnwell, 'a rate limit was there to be known');
    } else {
      this.answered.exceeded += 1;
      this.#judge(outcome, principal, processes);
    }
    return null;
  }

  /** A request has ended, as its caller's answer has. What exceeds its quote is told at once, if its process can. */
  finish({ permit, taken, quoted }: Admitted, process: Process): void {
    const used = this.#random.pick([quoted, this.#random.between(0, quoted), Math.ceil(quoted * 1.5)]);
    permit.finish(used);
    this.#rates.end(taken, used);
    const isTold = process.isWell && !this.#database.busy.has(taken.projectId, BUSY_MS);
    if (used > taken.tokens && !isTold) this.#rates.lostTrack();
  }

  /** A request was refused after it had been let through. */
  giveBack({ permit, taken }: Admitted): void {
    permit.giveBack();
    this.#rates.end(taken, null);
  }

  /** Nobody has asked for long: no request runs, and nothing lies where nobody needs it. */
  checkIdle(): void {
    const { model, permits } = this.#database;
    for (const [epochId, { fenced }] of model.epochs) {
      if (fenced) continue;
      for (const [projectId, { stock, running }] of permits.stocksOf(epochId)) {
        must(running === 0, 'a place is taken by no request');
        if (!this.#rates.isConstant(projectId)) continue;
        const { requestsPerMinute, tokensPerMinute, concurrency } = permits.limitsOf(projectId);
        must(stock.requests * IMMATERIAL_PART <= (requestsPerMinute ?? 0), 'requests of a minute lie idle');
        must(stock.tokens * IMMATERIAL_PART <= (tokensPerMinute ?? 0), 'tokens of a minute lie idle');
        must(stock.slots * IMMATERIAL_PART <= (concurrency ?? 0), 'places lie idle');
      }
    }
  }

  /** When all is quiet, all places of a project can be had by any process: none is with those who are gone. */
  async takeAllPlaces(spending: Spending, principal: Principal, pass: () => Promise<void>): Promise<void> {
    const { requestsPerMinute, tokensPerMinute, concurrency } = this.#database.permits.limitsOf(principal.projectId);
    if (concurrency === null || requestsPerMinute !== null || tokensPerMinute !== null) return;
    const taking = Promise.all(Array.from({ length: concurrency }, async () => spending.permits.take(principal, 0)));
    await pass();
    for (const outcome of await taking) {
      must(outcome instanceof Permit, 'a place is with nobody');
      outcome.giveBack();
    }
    await pass();
  }

  #taken(epochId: bigint, { projectId }: Principal, { process }: Pending, quoted: number): Taken {
    const { model, permits, sinceTakeOverMs, hasBeenShaken } = this.#database;
    const isSure = process.isWell && sinceTakeOverMs >= TAKE_OVER_MS && !hasBeenShaken(epochId);
    const { tokensPerMinute } = permits.limitsOf(projectId);
    return {
      projectId,
      epochId,
      tokens: tokensPerMinute === null ? 0 : Math.min(quoted, tokensPerMinute),
      process,
      isCounted: isSure && model.epochs.get(epochId)?.fenced === false,
    };
  }

  /** While nothing has gone wrong yet, no request is refused that is surely within the limit. */
  #judge({ limit, retryAfterMs }: RateExceeded, { projectId }: Principal, processes: number): void {
    must(retryAfterMs > 0, 'a refusal says when to come again');
    if (limit !== 'requests' || !this.isUndisturbed || !this.#rates.isConstant(projectId)) return;
    const rivals = [...this.#money.pending].filter(({ principal }) => principal.projectId === projectId);
    const left = this.#rates.surelyLeft(projectId, processes) - rivals.length;
    must(left < 1, 'refused though requests of the minute were left');
  }
}
