import { type BodyFault, fieldFault } from './body-fault.ts';
import type { JsonScan } from './json-scan.ts';

// What a chat request may buy beside the text that it is answered with. Not every server that takes chat requests reads
// these fields, and one that leaves them unread would answer another question, so each upstream says which it reads.

export type ChatExtra = 'web_search_options' | 'prediction' | 'audio';

/** Reads the field's value: true if it asks for something, as null doesn't. */
export function readExtra(scan: JsonScan, name: Exclude<ChatExtra, 'audio'>): boolean | BodyFault {
  const kind = scan.kind();
  scan.skip();
  if (kind === 'object' || kind === 'null') return kind === 'object';
  return fieldFault(name, `'${name}' must be an object.`);
}

/** The fault of a request whose field the upstream doesn't read. */
export function unreadExtra(name: ChatExtra): BodyFault {
  return fieldFault(name, `'${name}' is not supported by this model's provider; leave it out.`);
}
