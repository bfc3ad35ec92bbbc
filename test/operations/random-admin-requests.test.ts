import { textOfAnswer } from '../support/text-of-answer.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describedOperations, deviationOf } from '../support/described-api.ts';
import { type Program, startProgram } from '../support/program.ts';
import { brokenRequests, validRequests } from '../support/random-requests.ts';

// The short form of src/control/admin/api-document.test.ts against the started program, whose server stands before the admin API.

const REQUESTS = 2;
/** Its answer is the token that the test would need from then on. */
const ENDS_THE_TOKEN = 'rotateOwnToken';

let program: Program;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program.dispose());

test('every answer of a started program to a random request has an id, is documented, and is no fault', async () => {
  const tenant = await program.createTenant({ credit: '10' });
  const document = await (await fetch(`${program.url}/admin/openapi.json`)).json();
  const found: string[] = [];
  for (const [seed, operation] of describedOperations(document as object).entries()) {
    if (operation.operationId === ENDS_THE_TOKEN) continue;
    const known = { workspace: tenant.workspaceId, project: tenant.projectId };
    const requests = fc.oneof(validRequests(operation, known), brokenRequests(operation, known));
    for (const { path, method, headers, body } of fc.sample(requests, { numRuns: REQUESTS, seed })) {
      const authorization = `Bearer ${program.operatorToken}`;
      const init = { method, headers: { authorization, ...headers }, ...(body === null ? {} : { body }) };
      const response = await fetch(`${program.url}${path}`, { ...init, redirect: 'manual' });
      const answer = {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        text: await textOfAnswer(response),
      };
      const deviation = answer.status === 500 ? '500' : deviationOf(operation, answer);
      if (deviation !== null) found.push(`${operation.operationId}: ${deviation} ${path} ${body ?? ''}`.slice(0, 600));
      if (response.headers.get('x-request-id') === null) found.push(`${operation.operationId}: no id ${path}`);
    }
  }
  expect(found).toEqual([]);
});
