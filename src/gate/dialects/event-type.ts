import { JsonScan } from '../openai/json-scan.ts';

/** The type comes first in nearly all events; more bytes than any type. */
const HEAD_BYTES = 96;
const HEAD = /^\{\s*"type"\s*:\s*"([\w.]{1,64})"/;
const TYPE = /^[\w.]{1,64}$/;

/** The type of an event of Messages or Responses; empty if it has none. The payload is not checked any further. */
export function eventType(payload: Buffer): string {
  const found = HEAD.exec(payload.toString('latin1', 0, HEAD_BYTES))?.[1];
  return found ?? searched(payload);
}

function searched(payload: Buffer): string {
  const scan = new JsonScan(payload);
  if (!scan.enterObject()) return '';
  while (scan.nextMember()) {
    if (scan.key() === 'type' && scan.kind() === 'string') {
      const type = scan.string();
      return TYPE.test(type) ? type : '';
    }
    scan.skip();
  }
  return '';
}
