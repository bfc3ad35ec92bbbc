import { END_USER_BYTES_MAX } from '../../domain/end-user.ts';
import { type Principal, serving } from '../../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import type { CompletionRequest } from '../dialects/dialect.ts';
import { BACKSLASH, QUOTE } from '../openai/json-bytes.ts';
import { type JsonMember, readObject } from '../openai/json-edit.ts';
import { JsonScan } from '../openai/json-scan.ts';
import { servedSubject } from '../principals/served-subject.ts';
import type { Caller } from './caller.ts';

// Whom a request is for: the end user that its body names, and the session that its header does. Looked for only if the project
// limits them.

const USER_ID = 'user_id';

/** Fields that name the end user, the first that does so. */
const END_USER_FIELDS = ['safety_identifier', 'user', 'metadata'] as const;

/** Fields in the JSON that Claude Code sends as a `user_id`, which names the session besides. */
const DEVICE_FIELDS = ['account_uuid', 'device_id'] as const;

/** A request has fewer fields. */
const MEMBERS_MAX = 1_000;
/** Six bytes of a JSON string are at least one of its text. */
const JSON_BYTES_MAX = 6 * END_USER_BYTES_MAX + 2;

/** The caller of this request, for the end user and the session that it is for, as far as the project limits them. */
export function servedBy(
  principal: Principal,
  { session }: Pick<Caller, 'session'>,
  request: Pick<CompletionRequest, 'body' | 'text'>,
): Principal | Refusal {
  const { servedLimits } = principal;
  if (servedLimits === null) return principal;
  const endUser = servedLimits.endUserPeriod === null ? null : endUserOf(request);
  if (isRefusal(endUser)) return endUser;
  const named = servedLimits.sessions ? session : null;
  return endUser === null && named === null ? principal : knownServed(principal, endUser, named);
}

/** The same object for the same texts, as long as they are among the last: digests take time. */
function knownServed(principal: Principal, endUser: string | null, session: string | null): Principal {
  const known = SERVED.get(principal) ?? new Map<string, Principal>();
  if (known.size === 0) SERVED.set(principal, known);
  const texts =
    endUser === null ? `s${session}` : session === null ? `e${endUser}` : `${session.length} ${session}${endUser}`;
  let served = known.get(texts);
  if (served === undefined) {
    const { projectId } = principal;
    const endUserId = endUser === null ? null : servedSubject(projectId, 'end_user', endUser);
    const sessionId = session === null ? null : servedSubject(projectId, 'session', session);
    served = serving(principal, endUserId, sessionId);
    if (known.size >= SERVED_MAX) known.clear();
    known.set(texts, served);
  }
  return served;
}

const SERVED = new WeakMap<Principal, Map<string, Principal>>();
/** As many are remembered of a caller, each with 700 bytes of text at most. */
const SERVED_MAX = 64;

/** The text that names the end user; null if there is none. */
function endUserOf(request: Pick<CompletionRequest, 'body' | 'text'>): string | null | Refusal {
  const members = membersOf(request);
  for (const field of END_USER_FIELDS) {
    const member = members.find(({ key }) => key === field);
    if (member === undefined) continue;
    const value = request.body.subarray(member.valueStart, member.valueEnd);
    const text = field === 'metadata' ? userIn(value) : textOf(value, field);
    if (isRefusal(text)) return text;
    if (text !== null && text !== '') return text;
  }
  return null;
}

function membersOf({ body, text }: Pick<CompletionRequest, 'body' | 'text'>): readonly JsonMember[] {
  return text?.layout.members ?? readObject(new JsonScan(body), MEMBERS_MAX)?.members ?? [];
}

/** The text of a JSON string; null if the value is something else. */
function textOf(value: Buffer, param: string): string | null | Refusal {
  if (value[0] !== QUOTE) return null;
  const text = value.length > JSON_BYTES_MAX ? null : stringIn(value);
  if (text !== null && Buffer.byteLength(text) <= END_USER_BYTES_MAX) return text;
  return refuse(
    'INVALID_REQUEST',
    `${param} names the end user, whose spending the project limits: it must have at most ${END_USER_BYTES_MAX} bytes. A hash of a longer name will do.`,
    { param },
  );
}

/** The text of a JSON string, which has been checked. */
function stringIn(value: Buffer): string {
  return value.includes(BACKSLASH)
    ? (JSON.parse(value.toString()) as string)
    : value.toString('utf8', 1, value.length - 1);
}

function userIn(metadata: Buffer): string | null | Refusal {
  const member = readObject(new JsonScan(metadata), MEMBERS_MAX)?.members.find(({ key }) => key === USER_ID);
  if (member === undefined) return null;
  const text = textOf(metadata.subarray(member.valueStart, member.valueEnd), `metadata.${USER_ID}`);
  return typeof text === 'string' && text.startsWith('{') ? accountIn(text) : text;
}

/** The account, or else the device, of a client that names its session in the same text; the text itself of any other. */
function accountIn(text: string): string {
  try {
    const parsed = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const account = DEVICE_FIELDS.map((field) => parsed[field]).find((each) => typeof each === 'string' && each !== '');
    return typeof account === 'string' ? account : text;
  } catch {
    return text;
  }
}
