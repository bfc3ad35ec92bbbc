import type {
  ClaimResult,
  IdempotencyStore,
  IdempotentRequest,
} from '../../src/gate/gateway/claims/idempotency-store.ts';
import { DatabaseUnavailable, DatabaseUnreached } from '../../src/lib/sql.ts';

// Claims of one API key in memory, with a network in between that a test breaks.

/** What becomes of a statement whose sender hears nothing of it. */
export type Loss = 'unsent' | 'no effect' | 'took effect' | 'arrives late';

interface MemoryClaim {
  readonly epochId: bigint;
  readonly requestId: string;
  readonly body: string;
  answer: Buffer | null;
  charge: bigint;
  isCompleted: boolean;
}

export class MemoryClaims implements IdempotencyStore {
  readonly rows = new Map<string, MemoryClaim>();
  /** What happens to the next statements, the first one first; those after them are answered. */
  claimLosses: (Loss | Error)[] = [];
  releaseLosses: Loss[] = [];
  /** Statements under way, in the order in which they were sent. */
  readonly late: (() => void)[] = [];
  /** Requests that gave up a claim in doubt. */
  readonly cancelled = new Set<string>();

  claim(epochId: bigint, request: IdempotentRequest, bodySha256: Buffer): Promise<ClaimResult> {
    const loss = this.claimLosses.shift();
    if (loss instanceof Error) return Promise.reject(loss);
    return this.#send(loss, () => this.#claim(epochId, request, bodySha256.toString('hex')));
  }

  isClaimed({ idempotencyKey }: Pick<IdempotentRequest, 'idempotencyKey'>): Promise<boolean> {
    return Promise.resolve(this.rows.has(idempotencyKey));
  }

  release(request: IdempotentRequest, isInDoubt: boolean): Promise<void> {
    return this.#send(this.releaseLosses.shift(), () => {
      if (isInDoubt) this.cancelled.add(request.requestId);
      const row = this.rows.get(request.idempotencyKey);
      if (row?.requestId === request.requestId && !row.isCompleted) this.rows.delete(request.idempotencyKey);
    });
  }

  /** A whole answer of the request is settled. */
  complete(idempotencyKey: string, requestId: string, answer: Buffer | null, charge: bigint): void {
    const row = this.rows.get(idempotencyKey);
    if (row?.requestId !== requestId) throw new Error('a request completes no claim but its own');
    row.answer = answer;
    row.charge = charge;
    row.isCompleted = true;
  }

  #claim(epochId: bigint, { idempotencyKey, requestId }: IdempotentRequest, body: string): ClaimResult {
    if (this.cancelled.has(requestId)) throw new Error('a request that released its claim makes no other');
    const row = this.rows.get(idempotencyKey);
    if (row === undefined)
      this.rows.set(idempotencyKey, { epochId, requestId, body, answer: null, charge: 0n, isCompleted: false });
    if (row === undefined || (row.requestId === requestId && !row.isCompleted)) return { state: 'claimed' };
    if (row.body !== body) return { state: 'mismatch' };
    if (!row.isCompleted) return { state: 'running' };
    return { state: 'done', requestId: row.requestId, answer: row.answer, charge: row.charge };
  }

  #send<Result>(loss: Loss | undefined, statement: () => Result): Promise<Result> {
    if (loss === undefined) return new Promise((resolve) => resolve(statement()));
    if (loss === 'took effect') statement();
    if (loss === 'arrives late') this.late.push(statement);
    const fault = loss === 'unsent' ? DatabaseUnreached : DatabaseUnavailable;
    return Promise.reject(new fault('no answer came'));
  }
}
