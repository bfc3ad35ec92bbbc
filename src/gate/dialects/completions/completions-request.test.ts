import { expect, test } from 'vitest';
import { COMPLETIONS_DIALECT } from './completions-dialect.ts';
import { type CompletionsRequest, readCompletionsRequest } from './completions-request.ts';

function bodyOf(fields: object | string): Buffer {
  return Buffer.from(typeof fields === 'string' ? fields : JSON.stringify({ model: 'm', prompt: 'Once', ...fields }));
}

function read(fields: object): CompletionsRequest {
  const result = readCompletionsRequest(bodyOf(fields));
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

function messageOf(fields: object | string): string {
  const result = readCompletionsRequest(bodyOf(fields));
  if (result.ok) throw new Error('the request was read');
  return `${result.fault.param}: ${result.fault.message}`;
}

test.each([
  [{}, 1, 1],
  [{ n: null, best_of: null }, 1, 1],
  [{ n: 3 }, 3, 1],
  [{ n: 2, best_of: 5 }, 5, 1],
  [{ n: 5, best_of: 5 }, 5, 1],
  [{ prompt: ['a', 'b'], n: 3 }, 6, 2],
  [{ prompt: [[1, 2], [3]], best_of: 4 }, 8, 2],
  [{ prompt: [1, 2, 3] }, 1, 1],
  [{ prompt: ['a', 'b'], n: 1_024 }, 2_048, 2],
  [{ n: 2_048, best_of: 2_048 }, 2_048, 1],
])(
  'a legacy completion is held for every text that may be generated for each prompt: %j',
  (fields, choices, prompts) => {
    const request = read(fields);
    expect(request).toMatchObject({ choices, size: { messages: prompts, prompts, images: 0, audios: 0, files: 0 } });
    expect(request.size.textBytes).toBe(bodyOf(fields).length);
  },
);

test('a legacy completion is read for what the gate goes by, and a field that nobody has judged is named', () => {
  expect(read({})).toMatchObject({ model: 'm', stream: false, includeUsage: false, maxTokens: null, unknown: [] });
  const fields = { stream: true, stream_options: { include_usage: true }, max_tokens: 0, n: 2, best_of: 2, of_2030: 1 };
  expect(read(fields)).toMatchObject({
    stream: true,
    includeUsage: true,
    maxTokens: 0,
    unknown: [{ name: 'of_2030' }],
  });
  expect(read({ echo: true, max_tokens: 2 ** 31 }).maxTokens).toBe(2 ** 31);
  expect(read({ echo: true, best_of: 2 }).choices).toBe(2);
});

test.each([
  ['{"prompt":"a"}', "model: 'model' is missing: name the model that shall answer."],
  ['{"model":"m"}', "prompt: 'prompt' is missing: give a text."],
  ['{"model":"m","prompt":""}', "prompt: 'prompt' must be a string"],
  [{ max_tokens: -1 }, "max_tokens: 'max_tokens' must be a whole number from 0 to 2147483648."],
  [{ max_tokens: 2 ** 31 + 1 }, "max_tokens: 'max_tokens' must be a whole number"],
  [{ n: 0 }, "n: 'n' must be a whole number from 1 to 2048."],
  [{ n: 2_049 }, "n: 'n' must be a whole number"],
  [{ best_of: 0 }, "best_of: 'best_of' must be a whole number from 1 to 2048."],
  [{ best_of: 2_049 }, "best_of: 'best_of' must be a whole number"],
  [{ n: 3, best_of: 2 }, "best_of: 'best_of' must not be smaller than 'n'."],
  [{ prompt: ['a', 'b'], n: 1_025 }, 'n: The prompts ask for more than 2048 texts together; send several requests.'],
  [{ stream: true, n: 1, best_of: 2 }, "best_of: 'best_of' can't be above 'n' in a stream."],
  [{ stream: true, echo: true }, "echo: 'echo' can't be streamed here; leave 'stream' out."],
  [{ stream_options: {} }, "stream_options: 'stream_options' is only allowed when 'stream' is true."],
  [{ echo: 'yes' }, "echo: 'echo' must be true or false."],
  [{ prompt_embeds: 'AAAA' }, 'prompt_embeds: '],
])('a legacy completion whose cost could not be bounded is refused: %j', (fields, message) => {
  expect(messageOf(fields)).toContain(message);
});

test('a legacy completion goes out with its provider’s name of the model, the cap and its usage, and never as chat', () => {
  const result = COMPLETIONS_DIALECT.read(bodyOf({ stream: true, max_tokens: 9, n: 2, of_2030: 1 }), {});
  if (!result.ok) throw new Error(result.fault.message);
  const { request } = result;
  const text = { stream: true, choices: 2, maxTokens: 9, isCeiling: false, schemaSpan: null };
  expect(request).toMatchObject({ model: 'm', text, tools: null, unknown: [{ name: 'of_2030' }] });
  const sent = (pieces: readonly Buffer[] = []): unknown => JSON.parse(Buffer.concat(pieces).toString());
  expect(sent(request.native?.body({ upstreamModel: 'big', cap: 4, reasoning: false }))).toEqual({
    model: 'big',
    prompt: 'Once',
    stream: true,
    max_tokens: 4,
    n: 2,
    of_2030: 1,
    stream_options: { include_usage: true },
  });
  expect(sent(request.native?.countBody('big'))).toMatchObject({ model: 'big', max_tokens: 9 });
  expect(request.native).toMatchObject({ stream: true, headers: {} });
  const nativeOnly = {
    message: "The providers of this model don't continue texts; send messages to POST /v1/chat/completions.",
    param: 'model',
  };
  expect(request).toMatchObject({ dialect: { endpoint: 'completions', nativeOnly }, leftOut: [], chat: null });
  expect(COMPLETIONS_DIALECT.read(bodyOf({ n: 0 }), {})).toMatchObject({ ok: false, fault: { param: 'n' } });
});

test('a stream of a legacy completion shows its usage to a caller that wants it, and to no other', () => {
  const chunk = Buffer.from('{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}');
  const texts = [true, false].map((isWanted) => {
    const result = COMPLETIONS_DIALECT.read(bodyOf({ stream: true, stream_options: { include_usage: isWanted } }), {});
    if (!result.ok) throw new Error(result.fault.message);
    const stream = result.request.text!.openStream('r');
    stream.inspect(chunk);
    return stream.write(chunk);
  });
  expect(texts).toEqual([`data: ${chunk.toString()}\n\n`, '']);
});
