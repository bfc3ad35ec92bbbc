import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';

// A refusal says what to change in the words of the API that was called, whatever the model's provider speaks.

const TERMS = 'price: { input: "1", output: "10" }, context_window: 128000, max_output: 4096';
const CONFIG = `
providers:
  google: { kind: gemini, base_url: "http://127.0.0.1:9/v1beta", api_key: gemini-0123456789 }
  sandbox: { kind: sandbox }
models:
  - { id: echo, routes: [{ provider: sandbox, model: echo }], ${TERMS} }
  - { id: gemini, routes: [{ provider: google, model: gemini-3 }], ${TERMS} }
`;

/** Each API with a body for it, and its field for the most output. */
const APIS = [
  { path: '/v1/chat/completions', field: 'max_tokens', body: { messages: [{ role: 'user', content: 'hello' }] } },
  { path: '/v1/messages', field: 'max_tokens', body: { messages: [{ role: 'user', content: 'hello' }] } },
  { path: '/v1/responses', field: 'max_output_tokens', body: { input: 'hello' } },
] as const;

let program: Program;
let key: string;

beforeAll(async () => {
  program = await startProgram({ config: CONFIG });
  ({ key } = await program.createTenant());
});

afterAll(() => program.dispose());

async function refusalOf(path: string, body: object | string, headers: Record<string, string> = {}): Promise<object> {
  const answer = await fetch(program.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return ((await answer.json()) as { error: object }).error;
}

test.each(APIS)('a maximum above the model’s is told by its name at $path', async ({ path, field, body }) => {
  expect(await refusalOf(path, { model: 'echo', ...body, [field]: 5000 })).toMatchObject({
    param: field,
    message: `${field}: 5000 > 4096, which is the most output tokens that "echo" can generate.`,
  });
});

test.each(APIS)('the maximum that the money covers is told by its name at $path', async ({ path, field, body }) => {
  const dear = { model: 'echo', ...body, [field]: 4096 };
  expect(await refusalOf(path, dear, { 'x-faregate-max-cost': '0.01' })).toMatchObject({
    code: 'MAX_COST_EXCEEDED',
    message: expect.stringContaining(`Set ${field} to `) as string,
  });
});

test('a fault within what the provider is sent names the caller’s field, and says whose words the rest are', async () => {
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const refused = await refusalOf('/v1/responses', { model: 'gemini', input: [call, { role: 'user', content: 'hi' }] });
  expect(refused).toMatchObject({
    param: 'input',
    message:
      "'input', as this model's provider is sent it: 'messages[0].tool_calls[0]' must be answered by a tool message " +
      "right after the assistant's.",
  });
});

test.each([
  ['\ufeff{"model":"echo"}', 'The body is not valid JSON: it begins with a byte order mark; send it without one.'],
  ['\u00a0{}', 'The body is not valid JSON.'],
  ['[]', 'The body must be a JSON object.'],
])('a body that begins otherwise than an object is told why: %j', async (body, message) => {
  for (const { path } of APIS) expect(await refusalOf(path, body)).toMatchObject({ code: 'INVALID_REQUEST', message });
});
