import { fieldFault, type BodyFault } from './body-fault.ts';
import { STREAM_OPTIONS_MEMBERS } from './chat-members.ts';
import { type JsonMember, type JsonObject, NAME_BYTES_MAX } from './json-edit.ts';
import type { JsonScan } from './json-scan.ts';
import { isMemberFault, MemberReader, type Path } from './known-members.ts';
import type { UnknownFields } from './unknown-fields.ts';

// The options for its stream that a request gives, which the gate uses as well.

export interface StreamOptionsDraft {
  stream: boolean;
  includeUsage: boolean;
  streamOptions: JsonObject | null;
  readonly unknown: UnknownFields;
}

const FIELD = 'stream_options';
const WHERE: Path = () => FIELD;
const OPTIONS_MAX = 32;
/** More than ten times what clients send. */
const OPTIONS_BYTES_MAX = 16_384;

const TOO_MUCH = fieldFault(FIELD, `'${FIELD}' must be an object with few members.`);

const STREAM_OPTIONS = new MemberReader(STREAM_OPTIONS_MEMBERS);

/** Reads the value of `stream_options`. */
export function readStreamOptions(scan: JsonScan, draft: StreamOptionsDraft): BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  const start = scan.at;
  if (!scan.enterObject()) return TOO_MUCH;
  const members: JsonMember[] = [];
  let asks: JsonMember | undefined;
  while (scan.nextMember()) {
    if (members.length === OPTIONS_MAX || scan.keyBytes > NAME_BYTES_MAX) return TOO_MUCH;
    const { keyStart, keyEnd, at: valueStart } = scan;
    const key = scan.key();
    const name = STREAM_OPTIONS.judge(scan, WHERE, draft.unknown);
    if (isMemberFault(name)) return name;
    if (name !== null) {
      if (asks !== undefined) return fieldFault(`${FIELD}.${name}`, `'${FIELD}.${name}' is given twice.`);
      scan.skip();
    }
    const member = { key, keyStart, keyEnd, valueStart, valueEnd: scan.at };
    if (name !== null) asks = member;
    members.push(member);
  }
  if (scan.fault !== null) return null;
  if (scan.at - start > OPTIONS_BYTES_MAX) return TOO_MUCH;
  if (asks !== undefined) {
    const value = scan.bytes.toString('latin1', asks.valueStart, asks.valueEnd);
    if (!['true', 'false', 'null'].includes(value)) {
      return fieldFault(`${FIELD}.include_usage`, `'${FIELD}.include_usage' must be true or false.`);
    }
    draft.includeUsage = value === 'true';
  }
  draft.streamOptions = { start, end: scan.at, members };
  return null;
}

/** The fault of options without a stream. */
export function findStray({ stream, streamOptions }: StreamOptionsDraft): BodyFault | null {
  if (streamOptions === null || stream) return null;
  return fieldFault('stream_options', "'stream_options' is only allowed when 'stream' is true.");
}
