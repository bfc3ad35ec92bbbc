import { JsonScan } from '../../openai/json-scan.ts';

/** The type stands first in all events of the provider's own; more than any takes. */
const HEAD_BYTES = 80;
const HEAD = /^\{\s*"type"\s*:\s*"(\w{1,48})"/;

/** The type of an event; empty if it has none. The payload is not checked any further. */
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
      return /^\w{1,48}$/.test(type) ? type : '';
    }
    scan.skip();
  }
  return '';
}
