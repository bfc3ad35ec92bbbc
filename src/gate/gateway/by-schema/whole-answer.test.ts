import { expect, test } from 'vitest';
import { plainAnswer } from '../../../../test/support/gate-stage.ts';
import { turnsOf } from '../../../../test/support/turns-of.ts';
import { LARGE_BYTES } from '../../../lib/own-turn.ts';
import { DIALECTS } from '../../dialects/dialects.ts';
import { readAnswer } from '../../openai/chat-answer.ts';
import type { AdmittedRequest } from '../request.ts';
import { readWholeAnswer } from './whole-answer.ts';

const MIB = 2 ** 20;
/** Nothing of it matters to a plain answer. */
const REQUEST = {} as AdmittedRequest;
const RESPONSE = JSON.stringify({ output: [{ type: 'message', content: [{ type: 'output_text', text: 'hi' }] }] });

/** JSON of this length, most of it in a meaningless field. */
function padded(json: string, bytes: number): Buffer {
  const field = '{"padding":"",';
  return Buffer.from(`{"padding":"${'x'.repeat(bytes - field.length - json.length + 1)}",${json.slice(1)}`);
}

/** Reads an answer of this length, in chat or in its caller's API. */
async function reading(bytes: number, isChat: boolean) {
  const asked = DIALECTS.responses.read(Buffer.from('{"model":"m","input":"hi"}'), {});
  if (!asked.ok) throw new Error(asked.fault.message);
  const body = padded(isChat ? String(plainAnswer()) : RESPONSE, bytes);
  const begun = { kind: 'answer', body, facts: readAnswer(plainAnswer()), form: { isChat, leftOut: [] } } as const;
  return await readWholeAnswer(REQUEST, begun, { completion: asked.request, provider: 'p' });
}

test('a plain answer is read up to 4 MiB where it is parsed, and up to 32 MiB where it is scanned', async () => {
  for (const [isChat, bytesMax] of [
    [true, 4 * MIB],
    [false, 32 * MIB],
  ] as const) {
    const { choices, fault } = await reading(bytesMax, isChat);
    expect([choices.get(0)?.content, fault]).toEqual(['hi', null]);
    const longer = await reading(bytesMax + 1, isChat);
    expect(longer.choices.size).toBe(0);
    expect(longer.fault).toEqual({
      kind: 'malformed',
      status: 200,
      message: 'the answer is longer than it may be',
    });
  }
});

test('a large plain answer is read in a turn of its own', async () => {
  for (const isChat of [true, false]) {
    expect(await turnsOf(() => reading(LARGE_BYTES, isChat))).toBe(0);
    expect(await turnsOf(() => reading(LARGE_BYTES + 1, isChat))).toBe(1);
  }
});

test('a plain answer has its contents replaced where others are given, and is as it came where none are', async () => {
  const answer = await reading(1_000, true);
  const passedOn = (contents: readonly [number, string][]): unknown => answer.passOn(new Map(contents));
  const { body } = passedOn([]) as { body: Buffer };
  expect(body.length).toBe(1_000);
  expect(passedOn([[0, 'ho']])).toMatchObject({ kind: 'answer', body: Buffer.from(String(body).replace('hi', 'ho')) });
});
