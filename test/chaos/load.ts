import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import { chat } from '../support/tenant.ts';
import { CAP, type Fleet, type Gateway } from './fleet.ts';

const AFTER_REFUSAL_MS = 20;

/** What a client has got; `broken` where the connection ended before the answer did. */
export interface Seen {
  readonly name: string;
  readonly by: Gateway;
  readonly status: number | 'broken';
  /** The whole of an answer, its last byte included. */
  readonly isWhole: boolean;
  readonly code: string | null;
}

let named = 0;

/** A name that no other request has. */
function newName(): string {
  named += 1;
  return `request-${named}`;
}

/** Sends one request under a name of its own, which its receipt and the upstream see as well. */
export async function ask(by: Gateway, key: string, { stream = false, name = newName() } = {}): Promise<Seen> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': name };
  const body = { model: 'output-priced', max_tokens: CAP, stream, messages: [{ role: 'user', content: name }] };
  try {
    const response = await chat(by.program, key, body, { headers });
    const text = await response.text();
    const { status } = response;
    if (status !== 200) return { name, by, status, isWhole: false, code: /"code":"(\w+)"/.exec(text)?.[1] ?? null };
    const isWhole = stream ? text.endsWith('data: [DONE]\n\n') && !text.includes('"error"') : text.endsWith('}');
    return { name, by, status, isWhole, code: null };
  } catch {
    return { name, by, status: 'broken', isWhole: false, code: null };
  }
}

/** Clients that ask without a pause, each time another gateway of those that serve. */
export class Load {
  readonly seen: Seen[] = [];
  readonly #inFlight = new Map<Gateway, Set<string>>();
  readonly #clients: readonly Promise<void>[];
  #stopped = false;

  constructor(fleet: Fleet, key: string, random: Random, clients: number) {
    this.#clients = Array.from({ length: clients }, () => this.#client(fleet, key, random));
  }

  /** How many whole answers there have been so far. */
  get whole(): number {
    return this.seen.filter(({ isWhole }) => isWhole).length;
  }

  /** The names of requests that a gateway was sent, and that wait for the rest of their answers. */
  inFlight(gateway: Gateway): ReadonlySet<string> {
    return this.#inFlightOf(gateway);
  }

  /** Resolves when no request is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #client({ gateways }: Fleet, key: string, random: Random): Promise<void> {
    while (!this.#stopped) {
      const serving = gateways.filter(({ isServing }) => isServing);
      if (serving.length === 0) {
        await delay(AFTER_REFUSAL_MS);
        continue;
      }
      const gateway = random.pick(serving);
      const name = newName();
      this.#inFlightOf(gateway).add(name);
      const seen = await ask(gateway, key, { stream: random.chance(0.5), name });
      this.#inFlightOf(gateway).delete(name);
      this.seen.push(seen);
      if (seen.status !== 200) await delay(AFTER_REFUSAL_MS);
    }
  }

  #inFlightOf(gateway: Gateway): Set<string> {
    const names = this.#inFlight.get(gateway) ?? new Set<string>();
    this.#inFlight.set(gateway, names);
    return names;
  }
}
