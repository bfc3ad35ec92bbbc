import type { Principal } from '../../src/domain/principal.ts';
import { isRefusal } from '../../src/domain/refusals.ts';
import type { Caller } from '../../src/gate/gateway/caller.ts';
import type { Claim } from '../../src/gate/gateway/claims/claim.ts';
import { claimKey, openClaim } from '../../src/gate/gateway/claims/claim-key.ts';
import type { GatewayDeps } from '../../src/gate/gateway/gateway-deps.ts';
import type { ParsedRequest } from '../../src/gate/gateway/read.ts';
import type { Spending } from '../../src/gate/purses/spending.ts';
import type { Pending } from './fleet-oracle.ts';
import { must } from './must.ts';
import type { Random } from './random.ts';
import type { SharedDatabase } from './shared-database.ts';

/** How long a request waits for another one with its key. */
const PLAIN_MS = 2_500;
/** How many keys each caller uses again and again. */
const KEYS = 4;

/** A request that has the claim of its Idempotency-Key. */
export interface Claimed {
  readonly claim: Claim;
  readonly requestId: string;
}

/** Releases a claim as the end of a request does, which nothing waits for here. */
export function releaseSoon(claim: Claim | undefined): void {
  claim?.release().catch(() => must(false, 'a release never fails'));
}

/** Requests with an Idempotency-Key that many have, by the gateway's own rules, and what must become of them. */
export class Repeats {
  readonly #random: Random;
  readonly #database: SharedDatabase;
  readonly #onFault: (fault: unknown) => void;

  constructor(random: Random, database: SharedDatabase, onFault: (fault: unknown) => void) {
    this.#random = random;
    this.#database = database;
    this.#onFault = onFault;
  }

  /** Claims one of the caller's keys; null where another request has it, or where nobody can say. */
  async claim(spending: Spending, principal: Principal, pending: Pending, requestId: string): Promise<Claimed | null> {
    const gate = this.#gateOf(spending, pending);
    const key = `key-${this.#random.between(1, KEYS)}`;
    const caller = { requestId, isGone: false } as Caller;
    const request = { dialect: { endpoint: 'chat' } };
    const asked = { request, maxCost: null, received: Buffer.from(key) } as unknown as ParsedRequest;
    const claim = openClaim(gate, caller, principal, asked, key);
    if (isRefusal(claim)) throw new Error('a key is refused');
    try {
      const outcome = await claimKey(gate, caller, claim);
      if (outcome === 'claimed') return { claim, requestId };
      must(outcome !== 'gone', 'nobody has left');
      if (isRefusal(outcome)) {
        must(outcome.code === 'SERVICE_UNAVAILABLE', 'a key was used for another body');
      } else {
        const { model, lost } = this.#database;
        const isSettled = model.receipts.has(outcome.requestId) || lost.has(outcome.requestId);
        must(isSettled, 'a repeat is answered by a request without a receipt');
      }
      releaseSoon(claim);
      return null;
    } catch (fault) {
      releaseSoon(claim);
      throw fault;
    }
  }

  /** All is settled and quiet: no key is blocked, and none has been charged twice for a whole answer. */
  check(): void {
    const { model, claims, superseded } = this.#database;
    must(claims.blocking.length === 0, 'an idempotency key is blocked');
    const charged = new Set<string>();
    for (const [requestId, { keyId, idempotencyKey, isWhole, charge }] of model.receipts) {
      must(!superseded.has(requestId) || charge === 0n, 'a request is charged whose key another one has');
      if (idempotencyKey === null || !isWhole || superseded.has(requestId)) continue;
      must(!charged.has(`${keyId} ${idempotencyKey}`), 'an idempotency key is charged twice');
      charged.add(`${keyId} ${idempotencyKey}`);
    }
  }

  /** What claims need of a gateway. */
  #gateOf(spending: Spending, { process }: Pending): GatewayDeps {
    const observer = { failed: (_requestId: string, fault: unknown) => this.#onFault(fault) };
    return {
      idempotency: process.store.idempotency,
      clock: process.clock,
      observer,
      timeouts: { plainMs: PLAIN_MS },
      get purses() {
        return spending.purses;
      },
    } as unknown as GatewayDeps;
  }
}
