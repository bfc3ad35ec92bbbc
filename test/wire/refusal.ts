import { expect } from 'vitest';
import { REFUSALS, type RefusalCode } from '../../src/domain/refusals.ts';
import type { RawResponse } from './raw-http.ts';

/** An id as the gateway makes them. */
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface ErrorText {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
}

/** Holds a response to being this refusal: its status, all four keys of its body, and an id. */
export async function expectRefusal(response: Response | RawResponse | null, code: RefusalCode): Promise<ErrorText> {
  if (response === null) throw new Error('the connection was closed without an answer');
  const isRaw = Buffer.isBuffer(response.body);
  const text = isRaw ? response.body.toString() : await (response as Response).text();
  expect(`${response.status} ${text}`).toContain(`"code":"${code}"`);
  const { error } = JSON.parse(text) as { error: ErrorText };
  const { status, type } = REFUSALS[code];
  expect({ status: response.status, type: error.type }).toEqual({ status, type });
  expect(Object.keys(error).filter((key) => key !== 'details')).toEqual(['message', 'type', 'param', 'code']);
  expect(error.message).not.toBe('');
  expect(headerOf(response, 'x-request-id')).toMatch(UUID_V7);
  expect(headerOf(response, 'content-type')).toBe('application/json');
  return error;
}

/** A header of either kind of response; null where it has none. */
export function headerOf(response: Response | RawResponse, name: string): string | null {
  const { headers } = response;
  return headers instanceof Headers ? headers.get(name) : (headers[name] ?? null);
}
