import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// A workspace goes on from the longest conversation that a body may hold, many times together, while others work.

const TEXT_BYTES = 24 * 2 ** 20;
const AT_ONCE = 60;
const ROUNDS = 12;

let program: Program;
let upstream: ScriptedUpstream;
let busy: Tenant;
let other: Tenant;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => {
    const text = { type: 'output_text', text: 'fine' };
    const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] }];
    const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
    const answer = { id: 'resp_1', object: 'response', status: 'completed', error: null, output, store: false, usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const config = `
providers:
  native: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: sk-upstream }
models:
  - { id: native, routes: [{ provider: native, model: gpt }], price: { input: "0.000001", output: "1" }, context_window: 128000000, max_output: 4096 }
`;
  program = await startProgram({ config, beside: [upstream] });
  [busy, other] = [await program.createTenant(), await program.createTenant()];
});

afterAll(() => program.dispose());

async function post({ key }: Tenant, path: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${program.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

const goesOn = { model: 'native', input: 'on', previous_response_id: 'resp_1' };

test('while a workspace goes on from a long conversation many times together, the others go on from theirs', async () => {
  expect(await post(busy, '/v1/responses', { model: 'native', input: 'x'.repeat(TEXT_BYTES) })).toBe(200);
  expect(await post(other, '/v1/responses', { model: 'native', input: 'x' })).toBe(200);
  const over = new AbortController();
  const storm = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const statuses = new Set<number>();
      while (!over.signal.aborted) statuses.add(await post(busy, '/v1/quote', goesOn));
      return statuses;
    }),
  );
  const served: number[] = [];
  for (let round = 0; round < ROUNDS; round++) served.push(await post(other, '/v1/responses', goesOn));
  over.abort();
  const statuses = (await storm).reduce((all, some) => all.union(some));
  expect(new Set(served)).toEqual(new Set([200]));
  // Those of its own that find too much waiting are told to try again.
  expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
  expect(statuses).toContain(200);
}, 240_000);
