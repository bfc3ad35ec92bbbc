import { register } from 'prom-client';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../config/load-config.ts';
import { startWarmUp } from './warm-up.ts';

/** Enough for all instances of the path that serve them. */
const REQUESTS = 600;

/** What the warm-up tells of itself. */
async function warmedUp(env: Readonly<Record<string, string>>, headerBytesMax?: number): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  const config = loadConfig({ flags: {}, env, cwd: '/nowhere' });
  const server = { ...config.server, headerBytesMax: headerBytesMax ?? config.server.headerBytesMax };
  const closing = new AsyncDisposableStack();
  const debug = (fields: object, text: string): void => void said.push([text, fields]);
  await startWarmUp({ ...config, server }, { debug }, closing, REQUESTS)();
  await closing.disposeAsync();
  return said;
}

test('a start serves requests of its own to their ends, without a database, and no metric counts them', async () => {
  const before = await register.metrics();
  const said = await warmedUp({ FAREGATE_WARM_UP: '60s' });
  expect(said).toEqual([['warmed up', { answered: REQUESTS, ms: expect.any(Number) }]]);
  expect(await register.metrics()).toBe(before);
});

test('a start that may not take longer serves none', async () => {
  expect(await warmedUp({ FAREGATE_WARM_UP: '0s' })).toEqual([]);
});

test('a start that is ready waits for no more requests of its own than its configuration allows', async () => {
  const said = await warmedUp({ FAREGATE_WARM_UP: '1ms' });
  expect(said).toEqual([['warmed up', { answered: expect.any(Number), ms: expect.any(Number) }]]);
  expect(said).not.toEqual([['warmed up', { answered: REQUESTS, ms: expect.any(Number) }]]);
});

test('requests of its own that a start cannot serve keep it from nothing', async () => {
  const said = await warmedUp({ FAREGATE_WARM_UP: '60s' }, 64);
  expect(said).toEqual([['warmed up', { answered: 0, ms: expect.any(Number) }]]);
});
