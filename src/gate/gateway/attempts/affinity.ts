import { hash } from 'node:crypto';
import type { TextFacet } from '../../dialects/dialect.ts';
import type { Model, Route } from '../../../domain/model.ts';
import type { Price } from '../../../domain/price.ts';
import type { JsonMember } from '../../openai/json-edit.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { Admission } from '../admit.ts';
import type { Caller } from '../caller.ts';
import type { RouteLot } from './route-order.ts';

// Providers keep prompts in a cache for minutes, and ask less for what they find there. Requests that begin alike go to one
// route, so that it is found. Nothing is remembered for that: the lot of a route follows from what the requests have in common.

/** What is longer binds by its beginning. */
const BYTES_MAX = 16_384;
/** As many messages are looked through for the first of the user, and none behind one that is longer than so many bytes. */
const MESSAGES_MAX = 8;
const SKIPPED_BYTES_MAX = 131_072;

const USER_ID = 'user_id';

/** Fields of the dialects with what stands before the messages, and with the messages. */
const INSTRUCTIONS: readonly string[] = ['system', 'instructions'];
const MESSAGES: readonly string[] = ['messages', 'input', 'prompt'];

/** What requests have in common that go to one route, as receipts name it. */
export type AffinitySource = 'session' | 'prompt_cache_key' | 'user_id' | 'messages';

/** By what a request's routes are ordered. */
export interface Affinity {
  readonly source: AffinitySource;
  readonly lotOf: RouteLot;
}

/**
 * The lots of routes by which requests that share a cached prompt are tried at the same routes, in every process, as long as
 * these can be tried; null if lots are to be random, because nothing is cheaper for being cached.
 */
export function affinityOf(
  { session }: Pick<Caller, 'session'>,
  { parsed, model, principal }: Pick<Admission, 'parsed' | 'model' | 'principal'>,
): Affinity | null {
  const { text, body } = parsed.request;
  if (text === null || !isCheaperCached(model)) return null;
  const { source, value } = sharedBy(session, text, body);
  // Another workspace learns nothing from where its own requests go.
  const prefix = `${principal.workspaceId} ${hash('sha256', value)}`;
  const lotOf: RouteLot = (route) => lotFrom(hash('sha256', `${prefix} ${route.provider} ${route.upstreamModel}`));
  return { source, lotOf };
}

function isCheaperCached({ terms, routes }: Model): boolean {
  return isCheaper(terms.price) || routes.some(({ cost }: Route) => cost !== undefined && isCheaper(cost));
}

function isCheaper({ rates }: Price): boolean {
  return rates.cached_input < rates.input;
}

interface Shared {
  readonly source: AffinitySource;
  /** It begins with the name of its source. */
  readonly value: string | Buffer;
}

/** What requests with the same cached prompt have in common, from what names it best. */
function sharedBy(session: string | null, { layout }: TextFacet, body: Buffer): Shared {
  if (session !== null) return { source: 'session', value: `session ${session}` };
  const valueOf = (member: JsonMember): Buffer => body.subarray(member.valueStart, member.valueEnd);
  const memberOf = (names: readonly string[]): JsonMember | undefined =>
    layout.members.find(({ key }) => names.includes(key));
  const key = memberOf(['prompt_cache_key']);
  if (key !== undefined && body[key.valueStart] === QUOTE) return sourced('prompt_cache_key', [valueOf(key)]);
  const metadata = memberOf(['metadata']);
  const user = metadata === undefined ? null : userIn(valueOf(metadata));
  if (user !== null) return sourced(USER_ID, [user]);
  const [instructions, messages] = [memberOf(INSTRUCTIONS), memberOf(MESSAGES)];
  return sourced('messages', [
    ...(instructions === undefined ? [] : [valueOf(instructions)]),
    ...(messages === undefined ? [] : untilUser(valueOf(messages))),
  ]);
}

const QUOTE = 0x22;

function sourced(source: AffinitySource, values: readonly Buffer[]): Shared {
  return {
    source,
    value: Buffer.concat([Buffer.from(source), ...values.map((value) => value.subarray(0, BYTES_MAX))]),
  };
}

/** The text of `user_id` in the value of `metadata`, as it stands there; null if there is none. */
function userIn(metadata: Buffer): Buffer | null {
  const scan = checked(metadata);
  if (!scan.enterObject()) return null;
  while (scan.nextMember()) {
    const isUser = scan.key() === USER_ID && scan.kind() === 'string';
    const start = scan.at;
    scan.skip();
    if (isUser) return metadata.subarray(start, scan.at);
  }
  return null;
}

/** The messages until the first that is the user's. */
function untilUser(messages: Buffer): readonly Buffer[] {
  const scan = checked(messages);
  if (!scan.enterArray()) return [messages];
  const read: Buffer[] = [];
  while (read.length < MESSAGES_MAX && scan.nextElement()) {
    const start = scan.at;
    const isLast = scan.exceeds(SKIPPED_BYTES_MAX) || readUser(scan);
    read.push(messages.subarray(start, scan.at === start ? start + BYTES_MAX : scan.at));
    if (isLast) break;
  }
  return read;
}

/** Skips a message; returns whether it is the user's, or may be. */
function readUser(scan: JsonScan): boolean {
  if (!scan.enterObject()) {
    scan.skip();
    return true;
  }
  let isUser = false;
  while (scan.nextMember()) {
    if (scan.key() === 'role' && scan.kind() === 'string') isUser = scan.string() === 'user';
    else scan.skip();
  }
  return isUser;
}

/** A scan of a part of a body, which has been checked as JSON. */
function checked(value: Buffer): JsonScan {
  return new JsonScan(value, undefined, NONE_PASSED);
}

const NONE_PASSED: ReadonlyMap<number, number> = new Map();

/** A number between 0 and 1 from a digest in hexadecimal. */
function lotFrom(digest: string): number {
  return (Number.parseInt(digest.slice(0, 12), 16) + 0.5) / 2 ** 48;
}
