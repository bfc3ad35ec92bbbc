import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';

// What an instance tells those who watch it: counts, for the operator alone, and nothing about who called.

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.dispose());

async function scrape(): Promise<string> {
  const response = await fetch(`${program.url}/metrics`, {
    headers: { authorization: `Bearer ${program.operatorToken}` },
  });
  expect(response.headers.get('content-type')).toContain('text/plain');
  return await response.text();
}

test('answers, refusals and failed attempts are counted, and no key, workspace or model is named', async () => {
  const messages = [{ role: 'user', content: 'hello' }];
  for (const stream of [false, true]) {
    await (await program.chat(program.key, { model: 'sandbox/echo', stream, messages })).text();
  }
  await (await program.chat(program.key, { model: 'sandbox/error', messages })).text();
  await (await program.chat(program.key, { model: 'unheard-of', messages })).text();

  await expect
    .poll(scrape, { timeout: 25_000 })
    .toContain('faregate_requests_total{outcome="failed",streamed="false"} 1');
  const text = await scrape();
  expect(text).toContain('faregate_requests_total{outcome="completed",streamed="false"} 1');
  expect(text).toContain('faregate_requests_total{outcome="completed",streamed="true"} 1');
  expect(text).toContain('faregate_refusals_total{code="MODEL_NOT_FOUND"} 1');
  expect(text).toContain('faregate_attempt_faults_total{provider="sandbox",fault="failed"} 1');
  expect(text).toContain('faregate_unsettled_receipts 0');
  expect(text).not.toMatch(/fg_live_|sandbox\/echo|unheard-of/);
});

test('without the operator token nothing is told', async () => {
  for (const headers of [{}, { authorization: `Bearer ${program.key}` }]) {
    const response = await fetch(`${program.url}/metrics`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});
