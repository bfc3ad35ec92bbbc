import { isObject } from '../openai/json-object.ts';
import { isJson } from '../openai/json-scan.ts';
import { GatheredBytes } from '../../lib/gathered-bytes.ts';
import type { HttpClient } from './http/http-client.ts';
import type { OutgoingRequest } from './http/request-text.ts';

const ANSWER_BYTES_MAX = 65_536;
const TIME_MS_MAX = 10_000;

/** The provider's count of a request's input tokens; null if there is none, for any reason. */
export function countTokens(client: HttpClient, request: OutgoingRequest): Promise<number | null> {
  return new Promise((resolve) => {
    const body = new GatheredBytes(ANSWER_BYTES_MAX);
    let isSuccess = false;
    const settle = (count: number | null): void => {
      clearTimeout(deadline);
      resolve(count);
    };
    const giveUp = (): void => {
      exchange.abort();
      settle(null);
    };
    const exchange = client.send(request, {
      start: (status) => {
        isSuccess = status === 200;
      },
      data: (chunk) => {
        if (body.add(chunk) !== null) giveUp();
      },
      end: () => settle(isSuccess ? countOf(body.whole()) : null),
      fail: () => settle(null),
    });
    const deadline = setTimeout(giveUp, TIME_MS_MAX);
  });
}

function countOf(body: Buffer): number | null {
  const answer: unknown = isJson(body) ? JSON.parse(body.toString()) : null;
  const count = isObject(answer) ? answer['input_tokens'] : null;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
