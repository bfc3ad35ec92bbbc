import { type BodyFault, fieldFault } from './body-fault.ts';
import { PREDICTION_MEMBERS, SEARCH_MEMBERS } from './chat-members.ts';
import type { JsonScan } from './json-scan.ts';
import { MemberReader } from './known-members.ts';
import type { UnknownFields } from './unknown-fields.ts';

// Options of a chat request that buy more than text. Not every server of chat requests supports these fields, and one
// that ignores them would answer another question, so each upstream declares which it supports.

export type ChatExtra = 'web_search_options' | 'prediction' | 'audio';

const MEMBERS = {
  web_search_options: new MemberReader(SEARCH_MEMBERS),
  prediction: new MemberReader(PREDICTION_MEMBERS),
};

/** Reads the field's value: whether it requests something; null doesn't. */
export function readExtra(
  scan: JsonScan,
  name: Exclude<ChatExtra, 'audio'>,
  unknown: UnknownFields,
): boolean | BodyFault {
  const kind = scan.kind();
  const fault = MEMBERS[name].pass(scan, () => name, unknown);
  if (fault !== null) return fault;
  if (kind === 'object' || kind === 'null') return kind === 'object';
  return fieldFault(name, `'${name}' must be an object.`);
}

/** The fault of a request whose field the upstream doesn't support. */
export function unreadExtra(name: ChatExtra): BodyFault {
  return fieldFault(name, `'${name}' is not supported by this model's provider; leave it out.`);
}
