import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import { CAP } from '../support/output-priced.ts';
import type { Fleet, Gateway } from './fleet.ts';

/** Between an answer and a client's next question: without it, load alone would take the processor that failures are to meet. */
const PAUSE_MS = 20;
const INSISTING_MS_MAX = 30_000;
/** Which part of the questions is asked under an Idempotency-Key, again and again until the answer is there. */
const INSISTENT = 0.4;
/** So many end users and sessions ask by turns, besides those who name none. */
const SERVED = 7;

/** What a client has got; `broken` where the connection ended before the answer did. */
export interface Seen {
  /** Its receipt's name for it: no other request has it. */
  readonly name: string;
  /** What was asked, which the upstream sees. An insistent client asks it by several requests. */
  readonly question: string;
  readonly isInsistent: boolean;
  readonly by: Gateway;
  readonly status: number | 'broken';
  /** The whole of an answer, its last byte included. */
  readonly isWhole: boolean;
  readonly code: string | null;
  /** Whether a failure has befallen the gateway while it had the request. */
  readonly wasHit: boolean;
}

let asked = 0;

/** A question that nobody else asks. */
function newQuestion(): string {
  asked += 1;
  return `question-${asked}`;
}

/** The number of a question. */
const turnOf = (question: string): number => Number(question.slice('question-'.length));

interface Asking {
  readonly stream?: boolean;
  readonly question?: string;
  /** The question's number among those that an insistent client has sent; left out: it is sent once, without a key. */
  readonly attempt?: number;
}

/**
 * An insistent client is told that its question was answered and charged, by a process that is gone and had journaled the
 * charge: journals hold no answers.
 */
export function isLost({ isInsistent, status, code }: Seen): boolean {
  return isInsistent && status === 400 && code === 'INVALID_REQUEST';
}

/** Sends one request under a name of its own, which its receipt has as well. */
export async function ask(by: Gateway, key: string, asking: Asking = {}): Promise<Seen> {
  const { stream = false, question = newQuestion(), attempt } = asking;
  const name = attempt === undefined ? question : `${question}~${attempt}`;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-request-id': name,
    'x-session-id': `session-${turnOf(question) % SERVED}`,
    ...(attempt === undefined ? {} : { 'idempotency-key': question }),
  };
  const messages = [{ role: 'user', content: question }];
  const user = turnOf(question) % (SERVED + 1);
  const body = { model: 'output-priced', max_tokens: CAP, stream, messages, ...(user > 0 && { user: `user-${user}` }) };
  const before = by.hits;
  const seen = (what: Pick<Seen, 'status' | 'isWhole' | 'code'>): Seen => {
    const wasHit = before % 2 === 1 || by.hits !== before;
    return { name, question, isInsistent: attempt !== undefined, by, wasHit, ...what };
  };
  try {
    const response = await by.program.chat(key, body, { headers });
    const text = await response.text();
    const { status } = response;
    if (status !== 200) return seen({ status, isWhole: false, code: /"code":"(\w+)"/.exec(text)?.[1] ?? null });
    const isWhole = stream ? text.endsWith('data: [DONE]\n\n') && !text.includes('"error"') : text.endsWith('}');
    return seen({ status, isWhole, code: null });
  } catch {
    return seen({ status: 'broken', isWhole: false, code: null });
  }
}

/** Clients that ask one question after the other, each time another gateway of those that serve. */
export class Load {
  readonly seen: Seen[] = [];
  readonly #inFlight = new Map<Gateway, Set<string>>();
  readonly #clients: readonly Promise<void>[];
  #stopped = false;
  #untilMs = Infinity;

  constructor(fleet: Fleet, key: string, random: Random, clients: number) {
    this.#clients = Array.from({ length: clients }, () => this.#client(fleet, key, random));
  }

  /** How many whole answers there have been so far. */
  get whole(): number {
    return this.seen.filter(({ isWhole }) => isWhole).length;
  }

  /** What a gateway was asked and has not wholly answered. */
  inFlight(gateway: Gateway): ReadonlySet<string> {
    return this.#inFlightOf(gateway);
  }

  /**
   * Resolves when no request is under way any more, and everybody insistent has an answer, has been refused the money, or has
   * asked for half a minute.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#untilMs = performance.now() + INSISTING_MS_MAX;
    await Promise.all(this.#clients);
  }

  async #client({ gateways }: Fleet, key: string, random: Random): Promise<void> {
    let insisting: { readonly question: string; readonly stream: boolean; attempt: number } | null = null;
    while (!this.#stopped || (insisting !== null && performance.now() < this.#untilMs)) {
      const serving = gateways.filter(({ isServing }) => isServing);
      if (serving.length === 0) {
        await delay(PAUSE_MS);
        continue;
      }
      const gateway = random.pick(serving);
      const stream = random.chance(0.5);
      if (insisting === null && random.chance(INSISTENT)) insisting = { question: newQuestion(), stream, attempt: 0 };
      if (insisting !== null) insisting.attempt += 1;
      const asking: Asking & { question: string } =
        insisting === null ? { question: newQuestion(), stream } : { ...insisting };
      this.#inFlightOf(gateway).add(asking.question);
      const seen = await ask(gateway, key, asking);
      this.#inFlightOf(gateway).delete(asking.question);
      this.seen.push(seen);
      if (seen.isWhole || seen.status === 402 || isLost(seen)) insisting = null;
      await delay(PAUSE_MS);
    }
  }

  #inFlightOf(gateway: Gateway): Set<string> {
    const questions = this.#inFlight.get(gateway) ?? new Set<string>();
    this.#inFlight.set(gateway, questions);
    return questions;
  }
}
