import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { schemas, valuesFor } from './random-schemas.ts';
import { type Stage, startStage } from './stage.ts';

// The promise as a whole, against a validator of another make: whatever the schema, and whatever a model writes, what
// answers with 200 conforms, and what conforms is not refused.

let stage: Stage;
let tenant: Tenant;

beforeAll(async () => {
  stage = await startStage();
  tenant = await stage.program.createTenant({ credit: '1000' });
});

afterAll(() => stage.program.dispose());

/** What the other validator says. */
function oracleFor(schema: object): (value: unknown) => boolean {
  const validator = new Validator(schema, '2020-12');
  return (value) => validator.validate(value).valid;
}

interface Answered {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** Asks for an answer by the schema of an upstream that always says this. */
async function ask(schema: object, said: string): Promise<{ status: number; content: string; code: string }> {
  const messages = [{ role: 'user', content: said }];
  const response_format = { type: 'json_schema', json_schema: { name: 'random', schema } };
  const response = await stage.program.chat(tenant.key, { model: 'native', messages, response_format });
  const { choices, error } = (await response.json()) as Answered;
  return { status: response.status, content: choices?.[0]?.message.content ?? '', code: error?.code ?? '' };
}

test('random schemas: no answer that does not conform is let through, and none that does is refused', async () => {
  stage.answer(({ messages }) => messages[0]?.content ?? '');
  const seen = { conforming: 0, not: 0 };
  const cases = schemas.chain((schema) => valuesFor(schema).map((values) => ({ schema, values })));
  await fc.assert(
    fc.asyncProperty(cases, async ({ schema, values }) => {
      const conforms = oracleFor(schema);
      const answers = await Promise.all(values.map((value) => ask(schema, JSON.stringify(value))));
      for (const [at, { status, content, code }] of answers.entries()) {
        if (status === 200) {
          expect(conforms(JSON.parse(content))).toBe(true);
          seen.conforming++;
        } else {
          expect([status, code]).toEqual([502, 'OUTPUT_NOT_CONFORMING']);
          expect(conforms(values[at])).toBe(false);
          seen.not++;
        }
      }
    }),
    { numRuns: 150 },
  );
  // Neither verdict is so rare that it would prove nothing.
  expect(Math.min(seen.conforming, seen.not)).toBeGreaterThan(60);
}, 120_000);
