import { setTimeout as delay } from 'node:timers/promises';
import { REFUSALS, type RefusalCode } from '../../src/domain/refusals.ts';
import type { Random } from '../simulation/random.ts';
import { framesOf } from '../support/event-frames.ts';
import type { Gateway } from '../wire/gateway.ts';

// Clients of a gateway whose upstreams fail, which hold everything that they get against what is documented.

/** What an upstream's failure may become. */
const CODES: readonly RefusalCode[] = ['INVALID_REQUEST', 'MODEL_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/**
 * What came of a request: a whole answer, a stream that broke off after its first data event and said so, a refusal, or
 * nothing, because the client has left. Whatever else comes is `wrong`, and why.
 */
export interface Seen {
  readonly name: string;
  readonly what: 'whole' | 'broken off' | 'refused' | 'left' | 'wrong';
  readonly why: string;
}

let named = 0;

/** Sends one request under a name of its own; with `leavesMs` the client leaves after so long. */
async function ask(gateway: Gateway, model: string, stream: boolean, leavesMs: number | null): Promise<Seen> {
  named += 1;
  const name = `chaos-${named}`;
  const leave = new AbortController();
  const timer = leavesMs === null ? null : setTimeout(() => leave.abort(), leavesMs);
  try {
    const response = await gateway.chat(
      { model, stream, max_tokens: 100 },
      { signal: leave.signal, headers: { 'x-request-id': name } },
    );
    const text = await response.text();
    return { name, ...judge(response, text, stream) };
  } catch (fault) {
    if (leave.signal.aborted) return { name, what: 'left', why: '' };
    const cause = fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
    return { name, what: 'wrong', why: `the connection broke: ${String(cause)}` };
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

function judge({ status, headers }: Response, text: string, stream: boolean): Omit<Seen, 'name'> {
  const wrong = (why: string): Omit<Seen, 'name'> => ({ what: 'wrong', why: `${status} ${why}: ${text.slice(-300)}` });
  if (!/^[0-9a-f-]{36}$/.test(headers.get('x-request-id') ?? '')) return wrong('without an id');
  if (status !== 200) {
    const why = judgeError(text, status);
    return why === null ? { what: 'refused', why: String(status) } : wrong(why);
  }
  if (!stream) return 'choices' in asObject(text) ? { what: 'whole', why: '' } : wrong('without choices');
  const payloads = framesOf(text).map(({ data }) => data);
  const last = payloads.at(-1) ?? '';
  if (last === '[DONE]') return payloads.length > 1 ? { what: 'whole', why: '' } : wrong('an empty stream');
  const why = judgeError(last, null);
  if (why !== null) return wrong(why);
  return { what: payloads.length > 1 ? 'broken off' : 'refused', why: 'event' };
}

/** Null where the body is a documented refusal of this status; null for any where it came within a stream. */
function judgeError(text: string, status: number | null): string | null {
  const { error } = asObject(text);
  if (typeof error !== 'object' || error === null) return 'not an error body';
  const { code, type, message } = error as { code?: RefusalCode; type?: string; message?: string };
  if (code === undefined || !CODES.includes(code)) return `code ${code}`;
  if (type !== REFUSALS[code].type || (status !== null && status !== REFUSALS[code].status))
    return `${code} is ${type}`;
  return typeof message === 'string' && message !== '' ? null : 'no message';
}

function asObject(text: string): { readonly error?: unknown } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

export interface Load {
  readonly gateway: Gateway;
  readonly models: readonly string[];
  readonly random: Random;
  readonly clients: number;
  readonly kinds: readonly ('plain' | 'stream')[];
  /** Which part of the clients leaves early. */
  readonly leaving: number;
}

/** Clients ask without a pause for any of the models, until `isOver` says so; what they have seen is added as it comes. */
export async function askUntil(isOver: () => boolean, load: Load, seen: Seen[] = []): Promise<readonly Seen[]> {
  const { gateway, models, random, clients, kinds, leaving } = load;
  const client = async (): Promise<void> => {
    while (!isOver()) {
      const leavesMs = random.chance(leaving) ? random.between(0, 400) : null;
      const one = await ask(gateway, random.pick(models), random.pick(kinds) === 'stream', leavesMs);
      seen.push(one);
      // Refused at once, where all routes rest: asking as fast as that would be all that happens.
      if (one.what === 'refused' || one.what === 'wrong') await delay(random.between(5, 30));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return seen;
}
