// W3C Trace Context: the headers traceparent and tracestate.

/** A position in a trace: the span that the next one is a child of. */
export interface TraceContext {
  /** 32 and 16 lower-case hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** What vendors carry along, as it was sent; null: nothing. */
  readonly state: string | null;
}

/** Versions after 00 may add fields, which are skipped. */
const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const KEY = /^[a-z][a-z0-9_*/-]{0,255}$/;
const TENANT_KEY = /^[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}$/;
/** Printable, without comma and equals sign. */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
const MEMBERS_MAX = 32;
const STATE_CHARACTERS_MAX = 512;

/** Reads the headers; null unless traceparent is well-formed. A malformed tracestate counts as none. */
export function readTraceContext(parent: string | undefined, state: string | undefined): TraceContext | null {
  const [, version, traceId, spanId, flags, more] = (parent === undefined ? null : PARENT.exec(parent)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state: readState(state) };
}

function readState(state: string | undefined): string | null {
  if (state === undefined || state.length > STATE_CHARACTERS_MAX) return null;
  const members = state
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const isRight = members.length > 0 && members.length <= MEMBERS_MAX && members.every(isMember);
  return isRight ? members.join(',') : null;
}

function isMember(member: string): boolean {
  const at = member.indexOf('=');
  const key = member.slice(0, Math.max(at, 0));
  return (KEY.test(key) || TENANT_KEY.test(key)) && VALUE.test(member.slice(at + 1));
}

/** The headers that pass a context on: names and values in turn. */
export function traceHeaders({ traceId, spanId, isSampled, state }: TraceContext): readonly string[] {
  const parent = ['traceparent', `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`];
  return state === null ? parent : [...parent, 'tracestate', state];
}
