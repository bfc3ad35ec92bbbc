import type { KeptResponse } from '../../gate/gateway/response-store.ts';
import type { Cancel } from '../../lib/clock.ts';
import { assert } from '../../lib/assert.ts';
import type { StoreLimits } from './keep-arguments.ts';

/** What waits to be kept is in memory: so much in all, and so much of a workspace besides a single response of any size. */
const BYTES_MAX = 64 * 2 ** 20;
const BYTES_OF_WORKSPACE_MAX = 16 * 2 ** 20;
const BATCH_MAX = 100;
/** A larger response is a batch of its own, written concurrently with batches of small ones. */
const BATCH_BYTES_MAX = 2 ** 20;

/** Batches of small responses, and large responses one by one. */
export type Lane = 'small' | 'large';

/** A response that waits to be kept. */
export interface WaitingResponse {
  readonly response: KeptResponse;
  readonly limits: StoreLimits;
  readonly bytes: number;
  /** Called once, with whether it is kept. */
  readonly resolve: (isKept: boolean) => void;
  readonly cancelDeadline: Cancel;
  isOver: boolean;
}

/** Those of a workspace, the oldest first. */
interface Line {
  readonly workspaceId: string;
  readonly waiting: WaitingResponse[];
  /** How many are in the batch that is being written; the others wait for it. */
  underWay: number;
  /** Of both. */
  bytes: number;
}

/**
 * Responses that wait to be kept. In each lane workspaces take turns, a response each, and none is in two batches at a
 * time: so nobody waits for all that another one has.
 */
export class WaitingResponses {
  readonly #lines = new Map<string, Line>();
  /** The lines that have a turn, by the size of their first, in the order of their turns. */
  readonly #turns: Readonly<Record<Lane, Set<Line>>> = { small: new Set(), large: new Set() };
  #bytes = 0;

  /** Whether a response of so many bytes may wait. */
  hasRoom(workspaceId: string, bytes: number): boolean {
    const own = this.#lines.get(workspaceId)?.bytes ?? 0;
    return this.#bytes + bytes <= BYTES_MAX && (own === 0 || own + bytes <= BYTES_OF_WORKSPACE_MAX);
  }

  add(added: WaitingResponse): void {
    const { workspaceId } = added.response;
    const line = this.#lines.get(workspaceId) ?? { workspaceId, waiting: [], underWay: 0, bytes: 0 };
    this.#lines.set(workspaceId, line);
    this.#count(line, added.bytes);
    line.waiting.push(added);
    if (line.waiting.length === 1) this.#giveTurn(line);
  }

  hasTurn(lane: Lane): boolean {
    return this.#turns[lane].size > 0;
  }

  /** Takes the lane's next batch, all with the same limits; empty if nothing has a turn. `done` follows. */
  takeBatch(lane: Lane): readonly WaitingResponse[] {
    const turns = this.#turns[lane];
    const batch: WaitingResponse[] = [];
    const lines = new Set<Line>();
    let bytes = 0;
    // A line that has more comes again, behind the others.
    for (const line of turns) {
      const [next] = line.waiting;
      if (next === undefined || laneOf(next) !== lane || next.limits !== (batch[0] ?? next).limits) continue;
      if (batch.length > 0 && (batch.length === BATCH_MAX || bytes + next.bytes > BATCH_BYTES_MAX)) break;
      turns.delete(line);
      line.waiting.shift();
      lines.add(line);
      if (next.isOver) this.#count(line, -next.bytes);
      else {
        batch.push(next);
        line.underWay += 1;
        bytes += next.bytes;
      }
      if (line.waiting.length > 0) turns.add(line);
    }
    for (const line of lines) {
      turns.delete(line);
      if (line.underWay === 0) this.#giveTurn(line);
    }
    return batch;
  }

  /** A batch has been sent. Those that are over leave; the others are the first of their lines again. */
  done(batch: readonly WaitingResponse[]): void {
    for (const each of batch.toReversed()) {
      const line = this.#lines.get(each.response.workspaceId);
      assert(line !== undefined, 'a line stays as long as it has something under way');
      line.underWay -= 1;
      if (each.isOver) this.#count(line, -each.bytes);
      else line.waiting.unshift(each);
      this.#giveTurn(line);
    }
  }

  /** All that wait and aren't under way. */
  *all(): Generator<WaitingResponse> {
    for (const { waiting } of this.#lines.values()) yield* waiting;
  }

  #giveTurn(line: Line): void {
    if (line.underWay > 0) return;
    const [first] = line.waiting;
    if (first !== undefined) this.#turns[laneOf(first)].add(line);
    else this.#lines.delete(line.workspaceId);
  }

  #count(line: Line, bytes: number): void {
    line.bytes += bytes;
    this.#bytes += bytes;
  }
}

/** The lane in which a response is written. */
export function laneOf({ bytes }: WaitingResponse): Lane {
  return bytes > BATCH_BYTES_MAX ? 'large' : 'small';
}
