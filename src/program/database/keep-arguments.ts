import type { KeptResponse } from '../../gate/gateway/response-store.ts';
import { arrayLiteral, textElement } from './array-literal.ts';
import type { EncryptedResponse } from './kept-cipher.ts';

// Responses as the parameters of keep_responses.

/** For how long, and how many bytes of them a workspace may have. A new object for new limits. */
export interface StoreLimits {
  readonly keepMs: number;
  readonly bytesMax: number;
}

/** How many bytes of a response are to be kept, before they are encrypted. */
export function keptBytes({ entry: { input, output, response } }: KeptResponse): number {
  return input.reduce((sum, { length }) => sum + length, 0) + output.length + response.length;
}

/** The arguments of keep_responses. */
export function keepArguments(responses: readonly EncryptedResponse[], { keepMs, bytesMax }: StoreLimits) {
  const pieces: Buffer[] = [];
  const spans: string[] = [];
  const itemIds: string[] = [];
  const itemNumbers: string[] = [];
  let start = 1;
  for (const { kept, input, output, response } of responses) {
    const length = input.length + output.length;
    const number = spans.push(arrayLiteral([start, length, input.length, response.length]));
    for (const item of kept.entry.outputItems) {
      itemIds.push(textElement(item.id));
      itemNumbers.push(arrayLiteral([number, item.start, item.length]));
    }
    pieces.push(input, output, response);
    start += length + response.length;
  }
  const all = responses.map(({ kept }) => kept);
  const ancestors = new Set(all.flatMap(({ goesOnFrom }) => goesOnFrom));
  return [
    keepMs,
    bytesMax,
    arrayLiteral(all.map(({ workspaceId }) => workspaceId)),
    arrayLiteral(all.map(({ requestId }) => requestId)),
    arrayLiteral(all.map(({ entry }) => textElement(entry.responseId))),
    arrayLiteral(all.map(({ previousRequestId }) => textElement(previousRequestId))),
    arrayLiteral(spans),
    Buffer.concat(pieces),
    arrayLiteral(itemIds),
    arrayLiteral(itemNumbers),
    arrayLiteral([...ancestors]),
  ];
}
