import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BEHIND, type DialectStage, startDialectStage } from '../sdk/dialect-stage.ts';
import { OPEN_RESPONSES } from '../support/open-responses.ts';

// The acceptance cases of Open Responses: what any client of the standard may send, with every event and every response
// checked against its schemas.

/** A red dot. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const said = (role: string, content: unknown): object => ({ type: 'message', role, content });
const TOOL = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather at a place',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const CALL = { input: [said('user', 'How is the weather in Bern?')], tools: [TOOL] };

interface OutputItem {
  readonly type: string;
}

interface ResponseBody {
  readonly status: string;
  readonly output: readonly OutputItem[];
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string; readonly item?: OutputItem };

/** The answers of a provider that speaks Responses pass as they are, whatever they lack. */
const TRANSLATED = BEHIND.filter(({ text }) => text !== 'on-responses');

let stage: DialectStage;
beforeAll(async () => {
  stage = await startDialectStage();
});
afterAll(() => stage.program.dispose());

async function send(body: object): Promise<Response> {
  const response = await fetch(`${stage.program.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response;
}

async function whole(body: object): Promise<ResponseBody> {
  const response = (await (await send(body)).json()) as ResponseBody;
  expect(OPEN_RESPONSES.responseFaults(response)).toEqual([]);
  return response;
}

/** The events of a stream, numbered without a gap. */
async function streamed(body: object): Promise<readonly Event[]> {
  const text = await (await send({ ...body, stream: true })).text();
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json) as Event);
  expect(events.flatMap((event) => OPEN_RESPONSES.eventFaults(event))).toEqual([]);
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index));
  return events;
}

describe.each(TRANSLATED)('Open Responses with $where', ({ text: model, tools: toolModel }) => {
  test.each([
    ['a message', { input: [said('user', 'Say hello in three words.')] }],
    ['a text', { input: 'Say hello in three words.' }],
    ['a system message', { input: [said('system', 'You are a pirate.'), said('user', 'Say hello.')] }],
    [
      'a conversation of several turns',
      { input: [said('user', 'I am Alice.'), said('assistant', 'Hello, Alice!'), said('user', 'Who am I?')] },
    ],
    [
      'an image',
      {
        input: [
          said('user', [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: PICTURE },
          ]),
        ],
      },
    ],
  ])('a response of the standard answers %s', async (_what, body) => {
    const { status, output } = await whole({ model, ...body });
    expect(status).toBe('completed');
    expect(output).toMatchObject([{ type: 'message', role: 'assistant' }]);
  });

  test('a stream is of the standard’s events, and ends in the whole response', async () => {
    const events = await streamed({ model, input: [said('user', 'Count from one to five.')] });
    const types = new Set(events.map(({ type }) => type));
    expect([...types]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(OPEN_RESPONSES.responseFaults(events.at(-1)?.['response'])).toEqual([]);
  });

  test('a tool is called by a response of the standard', async () => {
    const { output } = await whole({ model: toolModel, ...CALL });
    expect(output.at(-1)).toMatchObject({ type: 'function_call', name: TOOL.name });
  });

  test('a tool is called in a stream of the standard’s events, its arguments piece by piece', async () => {
    const events = await streamed({ model: toolModel, ...CALL });
    const types = events.map(({ type, item }) => (item === undefined ? type : `${type} ${item.type}`));
    expect(types).toEqual(
      expect.arrayContaining([
        'response.output_item.added function_call',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.output_item.done function_call',
      ]),
    );
    expect(OPEN_RESPONSES.responseFaults(events.at(-1)?.['response'])).toEqual([]);
  });
});
