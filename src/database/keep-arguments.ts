import type { KeptResponse } from '../gateway/response-store.ts';
import { arrayLiteral, textElement } from './array-literal.ts';

// Responses as the parameters of keep_responses.

/** For how long, and how many bytes of them a workspace may have. A new object for new limits. */
export interface StoreLimits {
  readonly keepMs: number;
  readonly bytesMax: number;
}

const COMMA = Buffer.from(',');

/** How many bytes of a response are kept. */
export function keptBytes({ entry: { input, output, response } }: KeptResponse): number {
  return bytesOf(input) + outputStart(0, output) + output.length + response.length;
}

/** The arguments of keep_responses. */
export function keepArguments(responses: readonly KeptResponse[], { keepMs, bytesMax }: StoreLimits) {
  const pieces: Buffer[] = [];
  const spans: string[] = [];
  const itemIds: string[] = [];
  const itemNumbers: string[] = [];
  let start = 1;
  for (const { entry } of responses) {
    const { input, output, outputItems, response } = entry;
    const inputLength = bytesOf(input);
    const outputAt = outputStart(inputLength, output);
    const length = outputAt + output.length;
    const number = spans.push(arrayLiteral([start, length, inputLength, response.length]));
    for (const item of outputItems) {
      itemIds.push(textElement(item.id));
      itemNumbers.push(arrayLiteral([number, outputAt + item.start, item.length]));
    }
    pieces.push(...input);
    if (output.length > 0) pieces.push(COMMA, output);
    pieces.push(response);
    start += length + response.length;
  }
  const ancestors = new Set(responses.flatMap(({ goesOnFrom }) => goesOnFrom));
  return [
    keepMs,
    bytesMax,
    arrayLiteral(responses.map(({ workspaceId }) => workspaceId)),
    arrayLiteral(responses.map(({ requestId }) => requestId)),
    arrayLiteral(responses.map(({ entry }) => textElement(entry.responseId))),
    arrayLiteral(responses.map(({ previousRequestId }) => textElement(previousRequestId))),
    arrayLiteral(spans),
    Buffer.concat(pieces),
    arrayLiteral(itemIds),
    arrayLiteral(itemNumbers),
    arrayLiteral([...ancestors]),
  ];
}

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Where the answer's items stand behind those of its request: behind a comma. */
function outputStart(inputLength: number, output: Buffer): number {
  return output.length === 0 ? inputLength : inputLength + COMMA.length;
}
