import { ClaimGone } from '../../src/gate/purses/ports/database.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { ClaimResult, IdempotentRequest } from '../../src/gate/gateway/claims/idempotency-store.ts';

// Claims of idempotency keys as their rules say, without a database: what src/program/database/functions do, in a few lines each, but
// for what happens after a day.

interface ModelClaim {
  requestId: string;
  epochId: bigint;
  /** Null where a receipt that came late has made the claim. */
  body: string | null;
  isCompleted: boolean;
  answer: Buffer | null;
}

const nameOf = ({
  keyId,
  idempotencyKey,
}: Pick<IdempotentRequest, 'keyId'> & { idempotencyKey: string | null }): string => `${keyId} ${idempotencyKey}`;

export class ModelClaims {
  readonly #isFenced: (epochId: bigint) => boolean;
  readonly #claims = new Map<string, ModelClaim>();
  readonly #cancelled = new Set<string>();

  constructor(isFenced: (epochId: bigint) => boolean) {
    this.#isFenced = isFenced;
  }

  claim(epochId: bigint, request: IdempotentRequest, digest: Buffer): ClaimResult {
    const { requestId } = request;
    if (this.#cancelled.has(requestId)) throw new Error('a request claims that has given its claim up');
    const body = digest.toString('hex');
    const known = this.#claims.get(nameOf(request));
    const isOwn = known?.requestId === requestId;
    if (
      known === undefined ||
      (!known.isCompleted && (isOwn || (known.body === body && this.#isFenced(known.epochId))))
    ) {
      this.#claims.set(nameOf(request), { requestId, epochId, body, isCompleted: false, answer: null });
      return { state: 'claimed' };
    }
    if (known.body !== null && known.body !== body) return { state: 'mismatch' };
    if (!known.isCompleted) return { state: 'running' };
    return { state: 'done', requestId: known.requestId, answer: known.answer };
  }

  isClaimed(use: Pick<IdempotentRequest, 'keyId' | 'idempotencyKey'>): boolean {
    return this.#claims.has(nameOf(use));
  }

  release(request: IdempotentRequest, isInDoubt: boolean): void {
    if (isInDoubt) this.#cancelled.add(request.requestId);
    const known = this.#claims.get(nameOf(request));
    if (known?.requestId === request.requestId && !known.isCompleted) this.#claims.delete(nameOf(request));
  }

  /** @throws ClaimGone if one of these can't complete its claim */
  requireHeld(receipts: readonly Receipt[]): void {
    for (const receipt of receipts) {
      if (receipt.idempotencyKey === null || !receipt.isWhole) continue;
      if (this.#claims.get(nameOf(receipt))?.requestId !== receipt.requestId) throw new ClaimGone('a claim is gone');
    }
  }

  /** Completes the claims of those that are whole. */
  complete(receipts: readonly Receipt[], answers: ReadonlyMap<string, Buffer>): void {
    for (const receipt of receipts) {
      if (receipt.idempotencyKey === null || !receipt.isWhole) continue;
      const known = this.#claims.get(nameOf(receipt));
      if (known === undefined || known.requestId !== receipt.requestId || known.isCompleted) continue;
      known.isCompleted = true;
      known.answer = answers.get(receipt.requestId) ?? null;
    }
  }

  /** Whether a receipt that comes late finds its claim with another request; if not, a whole answer takes the claim. */
  isSuperseded(epochId: bigint, receipt: Receipt): boolean {
    const { requestId, isWhole, idempotencyKey } = receipt;
    if (idempotencyKey === null) return false;
    const known = this.#claims.get(nameOf(receipt));
    if (known?.requestId === requestId) return false;
    if (known !== undefined && (known.isCompleted || !this.#isFenced(known.epochId))) return true;
    const body = known?.body ?? null;
    if (isWhole) this.#claims.set(nameOf(receipt), { requestId, epochId, body, isCompleted: false, answer: null });
    return false;
  }

  /** Requests whose claims keep all others with their keys waiting. */
  get blocking(): readonly string[] {
    return [...this.#claims.values()].flatMap(({ requestId, isCompleted, epochId }) =>
      isCompleted || this.#isFenced(epochId) ? [] : [requestId],
    );
  }

  /** Remembers everything as it is now. Calling the answer brings it back, as a server would that got nothing since. */
  snapshot(): () => void {
    const claims = [...this.#claims].map(([name, claim]) => [name, { ...claim }] as const);
    const cancelled = [...this.#cancelled];
    return () => {
      this.#claims.clear();
      for (const [name, claim] of claims) this.#claims.set(name, { ...claim });
      this.#cancelled.clear();
      for (const id of cancelled) this.#cancelled.add(id);
    };
  }
}
