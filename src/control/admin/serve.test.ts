import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { refuse } from '../../domain/refusals.ts';
import { AdminPlaces } from './admin-places.ts';
import type { AdminEnv } from './route-access.ts';
import { serve } from './serve.ts';

const WORKSPACE = '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11';
const ANSWER = { workspace_name: 'acme', moved_to: null, workspace_id: WORKSPACE, id: 'r', kind: 'refusal' } as const;

/** An app in which the operator is the caller. */
function operatorApp(): OpenAPIHono<AdminEnv> {
  const app = new OpenAPIHono<AdminEnv>();
  app.use('*', async (c, next) => {
    c.set('act', {
      actor: { kind: 'operator', tokenId: null, name: 'operator', access: 'all' },
      address: null,
      requestId: null,
    });
    c.set('places', new AdminPlaces());
    await next();
  });
  return app;
}

test('an answer about a refused request is answered, and a refusal is refused', async () => {
  const app = operatorApp();
  serve(app, 'lookUp', ({ query }) =>
    query.key === undefined ? ANSWER : refuse('NOT_FOUND', 'There is no such key.'),
  );
  const found = await app.request('/admin/v1/look-up?request_id=r');
  expect([found.status, await found.json()]).toEqual([200, ANSWER]);
  const refused = await app.request('/admin/v1/look-up?key=k');
  expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
});
