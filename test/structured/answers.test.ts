import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { ANSWER_COST, type Asked, CAPABILITIES, type Said, type SaidChoice, type Stage, startStage } from './stage.ts';

// A JSON schema is a promise: what answers with 200 conforms to it, whichever upstream wrote it and however it was asked.

let stage: Stage;
let tenant: Tenant;

beforeAll(async () => {
  stage = await startStage();
  tenant = await stage.program.createTenant({ credit: '10' });
});

afterAll(() => stage.program.dispose());

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
  additionalProperties: false,
};
const GOOD = '{"name":"Ada","age":36}';
const BAD = '{"name":"A","age":-1,"secret words":1}';
const OWN_TOOLS = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }];

function request(model: string, more: object = {}, schema: object = SCHEMA): object {
  return {
    model,
    messages: [{ role: 'user', content: 'Who is it?' }],
    response_format: { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } },
    ...more,
  };
}

/** Says it in the way that is asked for: as the arguments of a call where only that tool may be called. */
function inTheRightWay(text: string): (asked: Asked) => Said {
  return ({ tools }) =>
    tools === undefined ? text : { calls: [{ name: tools.at(-1)?.function.name ?? '', arguments: text }] };
}

/** The same answers one after the other, the last for all that follow. */
function inTurn(...texts: readonly string[]): (asked: Asked) => Said {
  let turn = 0;
  return (asked) => inTheRightWay(texts[Math.min(turn++, texts.length - 1)] ?? '')(asked);
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string;
  readonly choices: readonly { message: SaidChoice & { tool_calls?: readonly object[] }; finish_reason: string }[];
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Details;
    readonly param: string;
  };
}

interface Details {
  readonly answers: number;
  readonly failures: readonly { readonly path: string; readonly keyword: string }[];
}

async function ask(body: object, key = tenant.key): Promise<Answered> {
  const response = await stage.program.chat(key, body);
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? '';
  return { ...((await response.json()) as object), status, headers, requestId } as Answered;
}

interface StreamedChunk {
  readonly choices: readonly {
    index: number;
    delta: { readonly content?: string | null; readonly tool_calls?: unknown };
    finish_reason: string | null;
  }[];
  readonly usage?: object | null;
  readonly error?: object;
}

async function askStream(body: object): Promise<{ response: Response; text: string; chunks: StreamedChunk[] }> {
  const response = await stage.program.chat(tenant.key, { ...body, stream: true });
  const text = await response.text();
  const payloads = [...text.matchAll(/^data: (.*)$/gm)].map(([, payload]) => payload ?? '');
  const chunks = payloads.filter((each) => each !== '[DONE]').map((each) => JSON.parse(each) as StreamedChunk);
  return { response, text, chunks };
}

function streamed(chunks: readonly StreamedChunk[], index = 0): { content: string; finish: string | null } {
  const choices = chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === index);
  return {
    content: choices.map(({ delta }) => delta.content ?? '').join(''),
    finish: choices.at(-1)?.finish_reason ?? null,
  };
}

interface Receipt {
  readonly outcome: string;
  readonly charge_nano_usd: string;
  readonly hold_nano_usd: string;
  readonly usage: { readonly tokens: { readonly input: number; readonly output: number } };
  readonly attempts: readonly {
    readonly provider: string;
    readonly status: number;
    readonly fault: string | null;
    readonly strategy: string;
    readonly charged: object | null;
  }[];
}

function receiptOf(requestId: string): Promise<Receipt> {
  return stage.receipt<Receipt>(tenant.key, requestId);
}

describe.each(CAPABILITIES)('a route whose upstream knows %s', (model) => {
  test('an upstream answers by the schema, plain and streamed, and the receipt says how it was asked', async () => {
    stage.answer(inTheRightWay(GOOD));
    const answer = await ask(request(model));
    expect(answer).toMatchObject({ status: 200, choices: [{ message: { content: GOOD }, finish_reason: 'stop' }] });
    expect(answer.choices[0]?.message).not.toHaveProperty('tool_calls');
    const receipt = await receiptOf(answer.requestId);
    expect(receipt).toMatchObject({
      outcome: 'completed',
      charge_nano_usd: String(ANSWER_COST),
      attempts: [{ provider: model, fault: null, strategy: model, charged: null }],
    });
    const { text, chunks } = await askStream(request(model, { stream_options: { include_usage: true } }));
    expect(streamed(chunks)).toEqual({ content: GOOD, finish: 'stop' });
    expect(chunks.filter(({ usage }) => usage !== null && usage !== undefined)).toHaveLength(1);
    expect(chunks.some(({ choices }) => choices.some(({ delta }) => 'tool_calls' in delta))).toBe(false);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('an upstream is told what was wrong, within the one hold, and what did not conform is free', async () => {
    stage.answer(inTurn(BAD, GOOD));
    const answer = await ask(request(model));
    expect(answer).toMatchObject({ status: 200, choices: [{ message: { content: GOOD } }] });
    expect(stage.asked).toHaveLength(2);
    const [, said, told] = stage.asked[1]?.messages.slice(-3) ?? [];
    expect([said?.content, told?.role]).toEqual([BAD, 'user']);
    expect(told?.content).toContain('/name: minLength');
    const receipt = await receiptOf(answer.requestId);
    expect(receipt).toMatchObject({
      charge_nano_usd: String(ANSWER_COST),
      attempts: [
        { fault: 'not_conforming', strategy: model, charged: null },
        { fault: null, strategy: model },
      ],
    });
  });

  test('an upstream that never conforms is refused for good, with paths and keywords and no word of its answers', async () => {
    stage.answer(inTheRightWay(BAD));
    const answer = await ask(request(model));
    expect(answer).toMatchObject({
      status: 502,
      error: {
        code: 'OUTPUT_NOT_CONFORMING',
        type: 'server_error',
        details: {
          answers: 3,
          failures: [
            { path: '/name', keyword: 'minLength' },
            { path: '/age', keyword: 'minimum' },
            { path: '/*', keyword: 'additionalProperties' },
          ],
        },
      },
    });
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(JSON.stringify(answer.error)).not.toContain('secret');
    const receipt = await receiptOf(answer.requestId);
    expect(receipt).toMatchObject({ outcome: 'failed', charge_nano_usd: '0' });
    expect(receipt.attempts.map(({ fault }) => fault)).toEqual(Array(3).fill('not_conforming'));
    const { response } = await askStream(request(model));
    expect(response.status).toBe(502);
  });

  test('an upstream may refuse, be cut off or be filtered, and that is passed on as OpenAI reports it', async () => {
    const cases: readonly [SaidChoice, object][] = [
      [
        { content: null, refusal: 'No.' },
        { message: { content: null, refusal: 'No.' }, finish_reason: 'stop' },
      ],
      [
        { content: '{"na', finish: 'length' },
        { message: { content: '{"na' }, finish_reason: 'length' },
      ],
      [
        { content: '', finish: 'content_filter' },
        { message: { content: '' }, finish_reason: 'content_filter' },
      ],
    ];
    for (const [said, expected] of cases) {
      stage.answer(() => said);
      expect(await ask(request(model))).toMatchObject({ status: 200, choices: [expected] });
      const { chunks } = await askStream(request(model));
      expect(streamed(chunks).finish).toBe(said.finish ?? 'stop');
    }
    expect(stage.asked).toHaveLength(2);
  });

  test("an upstream may call the caller's own tools, whose calls are not taken for the answer", async () => {
    stage.answer(() => ({ calls: [{ name: 'look_up', arguments: '{"q":1}' }] }));
    const answer = await ask(request(model, { tools: OWN_TOOLS }));
    expect(answer.choices[0]).toMatchObject({
      message: { tool_calls: [{ function: { name: 'look_up', arguments: '{"q":1}' } }] },
      finish_reason: 'tool_calls',
    });
    stage.answer(({ tools }) =>
      tools?.length === 2 ? { calls: [{ name: 'give_answer', arguments: GOOD }] } : { content: GOOD },
    );
    const next = await ask(request(model, { tools: OWN_TOOLS }));
    expect(next.choices[0]).toMatchObject({ message: { content: GOOD }, finish_reason: 'stop' });
  });

  test('an upstream conforms in every choice, or is asked again', async () => {
    const said = (...texts: readonly string[]): ((asked: Asked) => Said) => {
      return (asked) => texts.map((text) => inTheRightWay(text)(asked) as SaidChoice | string).map(asChoice);
    };
    let turn = 0;
    stage.answer((asked) => (turn++ === 0 ? said(GOOD, BAD)(asked) : said(GOOD, '{"name":"Bob","age":1}')(asked)));
    const answer = await ask(request(model, { n: 2 }));
    expect(answer.choices.map(({ message }) => message.content)).toEqual([GOOD, '{"name":"Bob","age":1}']);
    expect(stage.asked).toHaveLength(2);
    stage.answer(said(GOOD, '{"name":"Bob","age":1}'));
    const { chunks } = await askStream(request(model, { n: 2 }));
    expect([streamed(chunks, 0).content, streamed(chunks, 1).content]).toEqual([GOOD, '{"name":"Bob","age":1}']);
  });
});

function asChoice(said: SaidChoice | string): SaidChoice {
  return typeof said === 'string' ? { content: said } : said;
}

test('what is asked of an upstream is the very body of the caller where its own structured output takes the schema', async () => {
  stage.answer(() => '{"n":12345678901234567890}');
  const text =
    '{"model":"native", "seed":9007199254740993, "messages":[{"role":"user","content":"x"}],"max_tokens":9,' +
    '"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{ "type":"object", "minProperties":1 }}}}';
  const response = await fetch(`${stage.program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: text,
  });
  expect(response.status).toBe(200);
  expect(stage.upstream.requests.at(-1)?.body.toString()).toBe(text);
});

test('what is asked of an upstream keeps what the system says, the schema beside it, where it knows JSON mode alone', async () => {
  stage.answer(() => GOOD);
  await ask(
    request('json_mode', {
      messages: [
        { role: 'system', content: 'Be "kind".' },
        { role: 'user', content: '?' },
      ],
    }),
  );
  const { messages, response_format: format } = stage.asked[0] ?? {};
  expect(messages).toHaveLength(2);
  expect(messages?.[0]?.content).toMatch(/^Be "kind"\.\n\n.*JSON Schema.*"minLength":2/s);
  expect(format).toEqual({ type: 'json_object' });
});

test('what is asked of an upstream is OpenAI’s strict mode, with the rest in descriptions, where the schema fits', async () => {
  stage.answer(() => '{"name":"Ada","kind":"a","more":[]}');
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 9, description: 'The name.' },
      kind: { oneOf: [{ const: 'a' }, { const: 'b' }] },
      more: { type: 'array', items: { type: 'string', format: 'uri' }, uniqueItems: true },
    },
    required: ['name', 'kind', 'more'],
  };
  const answer = await ask(request('strict', {}, schema));
  expect(answer.status).toBe(200);
  expect(stage.asked[0]?.response_format?.json_schema).toEqual({
    name: 'person',
    strict: true,
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name.\n\nIt must have: minLength: 2; maxLength: 9.' },
        kind: {
          anyOf: [
            { type: 'string', enum: ['a'] },
            { type: 'string', enum: ['b'] },
          ],
        },
        more: {
          type: 'array',
          items: { type: 'string', description: 'It must have: format: "uri".' },
          description: 'It must have: uniqueItems: true.',
        },
      },
      required: ['name', 'kind', 'more'],
      additionalProperties: false,
    },
  });
});

test('what is asked of an upstream goes down to a weaker way when the stronger is turned down, and remembers it', async () => {
  stage.answer(({ response_format: format }) =>
    format?.type === 'json_schema' ? { status: 400, body: { error: { message: 'no schemas here' } } } : GOOD,
  );
  const first = await ask(request('native'));
  expect((await receiptOf(first.requestId)).attempts).toMatchObject([
    { strategy: 'native', status: 400, fault: 'rejected_request' },
    { strategy: 'json_mode', status: 200, fault: null },
  ]);
  const second = await ask(request('native'));
  expect((await receiptOf(second.requestId)).attempts).toMatchObject([{ strategy: 'json_mode' }]);
});

test("what is asked of an upstream is the caller's own fault where every way is turned down", async () => {
  stage.answer(() => ({ status: 400, body: { error: { message: 'no such thing', param: 'messages' } } }));
  expect(await ask(request('json_mode'))).toMatchObject({
    status: 400,
    error: { code: 'INVALID_REQUEST', message: 'no such thing', param: 'messages' },
  });
  expect(stage.asked.map(({ response_format: format }) => format?.type)).toEqual(['json_object', undefined]);
});

test.each([
  ['a fence of code', '```json\n{"name":"Ada","age":36}\n```'],
  ['words around', 'Here you are: {"name":"Ada","age":36} Enjoy!'],
  ['thoughts before', '<think>{"name": 1}</think>\n{"name":"Ada","age":36}'],
  ['white space around', '\n  {"name":"Ada","age":36}\n'],
])('an answer by a schema with %s is handed out without, and costs no other', async (_what, said) => {
  stage.answer(() => said);
  const answer = await ask(request('json_mode'));
  expect(answer.choices[0]?.message.content).toBe(GOOD);
  const { chunks } = await askStream(request('json_mode'));
  expect(streamed(chunks)).toEqual({ content: GOOD, finish: 'stop' });
  expect(stage.asked).toHaveLength(2);
});

test.each([
  ['two values', '{"name":"Ada","age":36} {"name":"Bob","age":1}', 'json'],
  ['a name given twice', '{"name":"Ada","age":36,"name":"Bob"}', 'duplicate_key'],
  ['NaN', '{"name":"Ada","age":NaN}', 'json'],
  ['a number out of range', '{"name":"Ada","age":1e400}', 'number_range'],
  ['an integer that doubles round, where it is compared', '{"name":"Ada","age":9007199254740993}', 'number_range'],
  ['nothing', '', 'json'],
])('an answer with %s is no answer by a schema', async (_what, said, keyword) => {
  stage.answer(() => said);
  const answer = await ask(request('json_mode'));
  expect(answer).toMatchObject({ status: 502, error: { details: { failures: [{ keyword }] } } });
});

test('an answer by a schema of the next route is taken where the first gives none', async () => {
  let turn = 0;
  stage.answer(() => (turn++ < 3 ? BAD : GOOD));
  const answer = await ask(request('both'));
  expect(answer).toMatchObject({ status: 200, choices: [{ message: { content: GOOD } }] });
  const { attempts } = await receiptOf(answer.requestId);
  expect(attempts.map(({ provider, fault }) => [provider, fault])).toEqual([
    ['native', 'not_conforming'],
    ['native', 'not_conforming'],
    ['native', 'not_conforming'],
    ['second', null],
  ]);
});

test('an answer by a schema is asked for in the schema of draft 7 as well', async () => {
  stage.answer(() => '{"a":["x",1]}');
  const tuple = { items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false };
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: tuple } };
  expect(await ask(request('native', {}, schema))).toMatchObject({ status: 200 });
  stage.answer(() => '{"a":["x",1,2]}');
  expect(await ask(request('native', {}, schema))).toMatchObject({ status: 502 });
});

test.each(CAPABILITIES)(
  'an answer by a schema is asked for in a schema whose root is a reference, of draft 4, by way of %s',
  async (model) => {
    stage.answer(inTurn('{"age":0}', '{"age":1}'));
    const age = { type: 'number', minimum: 0, exclusiveMinimum: true };
    const definitions = { Person: { type: 'object', properties: { age }, required: ['age'] } };
    const schema = { $schema: 'http://json-schema.org/draft-04/schema#', $ref: '#/definitions/Person', definitions };
    const answer = await ask(request(model, {}, schema));
    expect(answer).toMatchObject({ status: 200, choices: [{ message: { content: '{"age":1}' } }] });
    const [asked] = stage.asked;
    if (model !== 'strict') return;
    expect(asked?.response_format?.json_schema).toEqual({
      name: 'person',
      strict: true,
      schema: expect.objectContaining({
        type: 'object',
        properties: { age: { type: 'number', exclusiveMinimum: 0 } },
        additionalProperties: false,
      }),
    });
  },
);

test.each<[string, object | string, string]>([
  ['a wrong type', { type: 'objekt' }, '.type'],
  ['a wrong value within', { type: 'object', properties: { a: { minimum: '1' } } }, '.properties.a.minimum'],
  ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }, '.$ref'],
  ['a reference to nothing', { properties: { a: { $ref: '#/$defs/b' } } }, '.properties.a.$ref'],
  ['a loop', { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }, '.$defs.a'],
  ['a pattern that is none', { type: 'object', properties: { a: { pattern: '(' } } }, '.properties.a.pattern'],
  ['a dialect that nobody uses', { $schema: 'http://json-schema.org/draft-03/schema#' }, '.$schema'],
  ['a constant that many round', '{"const":12345678901234567890}', '.const'],
  ['a name given twice', '{"type":"object","type":"string"}', '.type'],
])(
  'a schema that can not be kept to for %s is refused before anything is spent, at its place',
  async (_what, schema, path) => {
    stage.answer(() => GOOD);
    const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
    const body = JSON.stringify(request('native', {}, {})).replace('"schema":{}', `"schema":${text}`);
    const response = await fetch(`${stage.program.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as Answered;
    expect([response.status, error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(error.param).toBe(`response_format.json_schema.schema${path}`);
    expect(stage.asked).toHaveLength(0);
  },
);

test.each([
  ['no name', { schema: {} }, '.name'],
  ['a name with spaces', { name: 'a b', schema: {} }, '.name'],
  ['no schema', { name: 'a' }, '.schema'],
  ['a boolean for a schema', { name: 'a', schema: true }, '.schema'],
  ['a word for a flag', { name: 'a', schema: {}, strict: 'yes' }, '.strict'],
])('a schema that can not be kept to for %s is refused too', async (_what, described, path) => {
  const answer = await ask({
    model: 'native',
    messages: [{ role: 'user', content: 'x' }],
    response_format: { type: 'json_schema', json_schema: described },
  });
  expect(answer).toMatchObject({ status: 400, error: { param: `response_format.json_schema${path}` } });
});

test('a schema that can not be kept to because the validator failed is the gateway’s fault, logged without its words', async () => {
  stage.answer(() => GOOD);
  const data = { $schema: 'https://example.com/secret' };
  const schema = { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a', default: data } } };
  const answer = await ask(request('native', {}, schema));
  expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
  expect(answer.headers.get('x-should-retry')).toBe('false');
  expect(stage.asked).toHaveLength(0);
  await expect.poll(() => stage.program.stderr()).toContain('validator failed');
  expect(stage.program.stderr()).not.toContain('example.com/secret');
});

test('a schema that can not be kept to is refused by a quote as well', async () => {
  const response = await fetch(`${stage.program.url}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request('native', {}, { type: 'objekt' })),
  });
  const { error } = (await response.json()) as Answered;
  expect([response.status, error.param]).toEqual([400, 'response_format.json_schema.schema.type']);
});

test('a schema that can not be kept to refers to itself within parts of a value, and that is no loop', async () => {
  stage.answer(() => '{"child":{"child":{}}}');
  const schema = { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false };
  expect(await ask(request('native', {}, schema))).toMatchObject({ status: 200 });
});

test('a stream by a schema that breaks off before its answer is whole is asked of the next route, and free', async () => {
  let turn = 0;
  stage.answer(({ stream }) => {
    turn++;
    return stream === true && turn === 1 ? { content: '{"na', breaksOff: true } : GOOD;
  });
  const { response, chunks } = await askStream(request('both'));
  expect(streamed(chunks)).toEqual({ content: GOOD, finish: 'stop' });
  const receipt = await receiptOf(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ charge_nano_usd: String(ANSWER_COST), outcome: 'completed' });
  expect(receipt.attempts.map(({ fault }) => fault)).toEqual(['broken', null]);
});
