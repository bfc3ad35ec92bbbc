import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../conformance/answers.ts';
import { KINDS } from '../dialects/matrix/kinds.ts';
import {
  ANSWER_COST,
  BAD,
  GOOD,
  MESSAGES,
  type PassthroughStage,
  RESPONSES,
  type Said,
  SAYS,
  SCHEMA,
  type Speaker,
  startPassthroughStage,
  wireOf,
} from './passthrough-stage.ts';

// A request for an answer by a schema, to a provider that speaks the caller's API: it arrives as it was sent, and what
// conforms comes back as it was written. What doesn't conform is not passed on: the provider is asked again in chat.

let stage: PassthroughStage;

beforeAll(async () => {
  stage = await startPassthroughStage();
});

afterAll(() => stage.program.dispose());

const UNKNOWN = '"of_next_year":[1e2, 12345678901234567890],';
const STREAM = '"stream":true,';

/** The bytes with which the speaker's provider says it to the request that it was sent. */
function writtenBy({ kind: name }: Speaker, said: Said, at = 0): string {
  const kind = KINDS.find((each) => each.name === name);
  return wireOf(kind, stage.asked[at]!, said).body;
}

/** An answer without what the gate adds to it. */
const ofProvider = (text: string): string =>
  text.replace(/: faregate-charge .*\n/, '').replace(/^data: \[DONE\]\n\n$/m, '');

const strategies = async (response: Response): Promise<readonly (readonly [string, string | null])[]> =>
  (await stage.receiptOf(response)).attempts.map(({ strategy, fault }) => [strategy, fault]);

/** What the speaker's answer says, to a client that puts its texts together. */
function textIn(body: string): string {
  return [...body.matchAll(/"text":("(?:[^"\\]|\\.)*")/g)]
    .map(([, text]) => JSON.parse(text ?? '""') as string)
    .join('');
}

describe.each([RESPONSES, MESSAGES].map((speaker) => [speaker.endpoint, speaker] as const))('%s', (_name, speaker) => {
  const ways = [
    ['plain', ''],
    ['streamed', STREAM],
  ] as const;

  test.each(ways)(
    'a request with a schema arrives as it was sent, and its answer comes back as it was written: %s',
    async (_way, stream) => {
      stage.say(GOOD);
      const body = speaker.body(SCHEMA, UNKNOWN + stream);
      const response = await stage.send(speaker, body);
      expect(response.status).toBe(200);
      expect(ofProvider(await response.text())).toBe(writtenBy(speaker, GOOD));
      expect(stage.asked.map(({ path }) => path)).toEqual([speaker.path]);
      expect(stage.asked[0]?.body.toString()).toBe(body.replace(`"${speaker.model}"`, '"theirs"'));
      expect(await stage.receiptOf(response)).toMatchObject({
        outcome: 'completed',
        charge_nano_usd: String(ANSWER_COST),
        attempts: [{ strategy: 'passthrough', fault: null, charged: null }],
      });
    },
  );

  test.each(ways)(
    'an answer that passes as it is and does not conform is kept from the caller, and asked again in chat: %s',
    async (_way, stream) => {
      stage.say(BAD, '{"n":1}');
      const response = await stage.send(speaker, speaker.body(SCHEMA, stream));
      const text = await response.text();
      expect([response.status, text.includes('secret')]).toEqual([200, false]);
      expect(text.replaceAll(/\\"|\s/g, '')).toContain('{n:1}');
      const asked = stage.asked.map(({ body }) => body.toString());
      expect(asked).toHaveLength(2);
      expect(asked[1]).toContain('does not conform');
      expect(asked[1]).toContain('at /n: type');
      expect(await stage.receiptOf(response)).toMatchObject({
        charge_nano_usd: String(ANSWER_COST),
        attempts: [
          { strategy: 'passthrough', fault: 'not_conforming', charged: null },
          { strategy: expect.stringMatching(/^(strict|native)$/), fault: null },
        ],
      });
    },
  );

  test.each<[string, string]>([
    ['a fence of code', '```json\n{"n":1}\n```'],
    ['words around it', 'Here: {"n":1}'],
    ['a mark of byte order', '\uFEFF{"n":1}'],
  ])('JSON that would have to be cut out of an answer is asked for again: %s', async (what, said) => {
    stage.say(said, '{"n":2}');
    const response = await stage.send(speaker, speaker.body(SCHEMA.replace('{', `{"title":"${what}",`)));
    expect(textIn(await response.text())).toBe('{"n":2}');
    expect(await strategies(response)).toMatchObject([
      ['passthrough', 'not_conforming'],
      [expect.any(String), null],
    ]);
  });

  test('white space around the JSON of an answer that passes is left as it is', async () => {
    stage.say(' {"n":1}\n');
    const response = await stage.send(speaker, speaker.body(SCHEMA));
    expect(await response.text()).toBe(writtenBy(speaker, ' {"n":1}\n'));
  });

  test('a request whose schema the provider does not take as it is goes on in chat, and is not tried so for a while', async () => {
    const schema = SCHEMA.replace('"integer"', '"integer","minimum":0');
    const no = {
      status: 400,
      body: '{"type":"error","error":{"type":"invalid_request_error","message":"no minimum"}}',
    };
    stage.say(no, '{"n":1}');
    const first = await stage.send(speaker, speaker.body(schema));
    expect(textIn(await first.text())).toBe('{"n":1}');
    expect(await strategies(first)).toMatchObject([
      ['passthrough', 'rejected_request'],
      [expect.any(String), null],
    ]);
    const second = await stage.send(speaker, speaker.body(schema));
    expect(await strategies(second)).toMatchObject([[expect.not.stringMatching('passthrough'), null]]);
    const other = await stage.send(speaker, speaker.body(SCHEMA));
    expect(await strategies(other)).toEqual([['passthrough', null]]);
  });

  test('a request that no chat request can say is sent as it is until its answer conforms, three times at most', async () => {
    stage.say(BAD, BAD, GOOD);
    const response = await stage.send(speaker, speaker.body(SCHEMA, UNKNOWN));
    expect(await response.text()).toBe(writtenBy(speaker, GOOD));
    expect(new Set(stage.asked.map(({ body }) => body.toString())).size).toBe(1);
    stage.say(BAD);
    const failing = await stage.send(speaker, speaker.body(SCHEMA, UNKNOWN));
    expect(failing.status).toBe(502);
    expect(await failing.json()).toMatchObject({ error: { code: 'OUTPUT_NOT_CONFORMING', details: { answers: 3 } } });
    expect(await strategies(failing)).toEqual(Array.from({ length: 3 }, () => ['passthrough', 'not_conforming']));
  });

  test('a request that no chat request can say is refused in the words of the provider that does not take it', async () => {
    stage.say({
      status: 400,
      body: '{"type":"error","error":{"type":"invalid_request_error","message":"of_next_year?"}}',
    });
    const response = await stage.send(speaker, speaker.body(SCHEMA, UNKNOWN));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', message: 'of_next_year?' } });
    expect(stage.asked).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['was cut off', { ...SAYS, text: ['{"n'], finish: 'length' }],
    ['was filtered', { ...SAYS, text: ['Well'], finish: 'content_filter' }],
    [
      'calls the own tools of the caller',
      { ...SAYS, text: ['Let me look.'], calls: [{ id: 'c', name: 'look', arguments: ['{}'] }], finish: 'tool_calls' },
    ],
    ...(speaker === RESPONSES ? [['is a refusal', { ...SAYS, text: [], refusal: 'No.' }] as [string, Answer]] : []),
  ])('an answer that %s passes as it is, as in chat', async (_what, answer) => {
    for (const [, stream] of ways) {
      stage.say(answer);
      const response = await stage.send(speaker, speaker.body(SCHEMA, stream));
      expect(ofProvider(await response.text())).toBe(writtenBy(speaker, answer));
      expect(await strategies(response)).toEqual([['passthrough', null]]);
    }
  });

  test('an answer by a schema is taken from the next route if the first one fails, whichever of them speaks the API', async () => {
    const busy = { status: 503, body: '{"error":{"message":"busy"}}' };
    for (const [, stream] of ways) {
      stage.say(busy, '{"n":1}');
      const native = speaker.body(SCHEMA, stream).replace(`"${speaker.model}"`, `"${speaker.model}-then-chat"`);
      const inChat = await stage.send(speaker, native);
      expect((await inChat.text()).replaceAll(/\\"|\s/g, '')).toContain('{n:1}');
      expect(stage.asked.map(({ path }) => path)).toEqual([speaker.path, '/compatible/v1/chat/completions']);
      stage.say(busy, GOOD);
      const chat = speaker.body(SCHEMA, stream).replace(`"${speaker.model}"`, `"chat-then-${speaker.model}"`);
      const passed = await stage.send(speaker, chat);
      expect(ofProvider(await passed.text())).toBe(writtenBy(speaker, GOOD, 1));
      expect(stage.asked.map(({ path }) => path)).toEqual(['/compatible/v1/chat/completions', speaker.path]);
    }
  });

  test('a schema that the provider misreads or never takes is asked for in chat first, or as it is without words there', async () => {
    const inner = '"properties":{"n":{"type":"integer","minimum":0,"exclusiveMinimum":true}},"required":["n"]';
    const schema =
      speaker === RESPONSES
        ? `{"anyOf":[${SCHEMA}]}`
        : `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object",${inner}}`;
    stage.say('{"n":1}');
    const inChat = await stage.send(speaker, speaker.body(schema));
    expect(textIn(await inChat.text())).toBe('{"n":1}');
    expect(await strategies(inChat)).toEqual([['json_mode', null]]);
    const passed = await stage.send(speaker, speaker.body(schema, UNKNOWN));
    expect(await strategies(passed)).toEqual([['passthrough', null]]);
  });

  test('a request that no chat request can say passes over routes that speak chat alone', async () => {
    stage.say(GOOD);
    const body = speaker.body(SCHEMA, UNKNOWN).replace(`"${speaker.model}"`, `"chat-then-${speaker.model}"`);
    const response = await stage.send(speaker, body);
    expect(await response.text()).toBe(writtenBy(speaker, GOOD));
    expect(stage.asked.map(({ path }) => path)).toEqual([speaker.path]);
  });
});
