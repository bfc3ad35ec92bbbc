import { expect, test } from 'vitest';
import type { NativeCall } from './upstream.ts';
import { wholeBody } from './whole-body.ts';

function bodyOf(pieces: readonly Buffer[]): { body: Buffer; edits: object[] } {
  const edits: object[] = [];
  const request = { body: (edit: object) => (edits.push(edit), pieces) };
  const call = { request, upstreamModel: 'big', cap: 5, reasoning: true } as unknown as NativeCall;
  return { body: wholeBody(call), edits };
}

test('a body in one piece is not copied, and others are joined, with the edits of the call', () => {
  const [one, other] = [Buffer.from('{"a"'), Buffer.from(':1}')];
  expect(bodyOf([one]).body).toBe(one);
  const { body, edits } = bodyOf([one, other]);
  expect(body.toString()).toBe('{"a":1}');
  expect(edits).toEqual([{ upstreamModel: 'big', cap: 5, reasoning: true }]);
});
