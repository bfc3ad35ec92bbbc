import { JsonScan } from '../../openai/json-scan.ts';
import type { ResponsesRequest } from './responses-request.ts';

// Handles reasoning of translated answers in capsules (reasoning-capsule.ts) in a conversation that has moved to a
// provider of this dialect, which refuses reasoning that it has not encrypted.

/** Its name in `x-faregate-left-out`. */
const REASONING = 'reasoning';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** Names what such a provider is not sent. */
export function leftOutReasoning({ capsules }: Pick<ResponsesRequest, 'capsules'>): readonly string[] {
  return capsules.length === 0 ? [] : [REASONING];
}

/** The value of `input` for such a provider; null if it is the caller's. */
export function readableInput({ body, layout, capsules }: ResponsesRequest): Buffer | null {
  const input = layout.members.find(({ key }) => key === 'input');
  if (capsules.length === 0 || input === undefined) return null;
  const left = new Set(capsules);
  const scan = new JsonScan(body.subarray(0, input.valueEnd));
  scan.at = input.valueStart;
  const kept: Buffer[] = [];
  scan.enterArray();
  while (scan.nextElement()) {
    const start = scan.at;
    scan.skip();
    if (left.has(start)) continue;
    kept.push(kept.length === 0 ? OPEN : COMMA, body.subarray(start, scan.at));
  }
  return Buffer.concat([...(kept.length === 0 ? [OPEN] : kept), CLOSE]);
}
