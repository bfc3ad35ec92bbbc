import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { startProxiedPostgres } from '../support/proxied-postgres.ts';

/**
 * What a start waits for, one after the other: which server there is, schema, former epochs, connections that fence the dead
 * ones, its own epoch, its first heartbeat; and one more, since other work goes on beside it.
 */
const ANSWERS_MAX = 7;
const DEAD_EPOCHS = 24;
/** Each is fenced and reaped, eight at a time. */
const ANSWERS_OF_THE_DEAD = (2 * DEAD_EPOCHS) / 8;

test('a start on a slow database waits for few answers in a row, however many workers have died before', async () => {
  const data = await mkdtemp(join(tmpdir(), 'faregate-slow-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const postgres = await startProxiedPostgres();
  onTestFinished(() => postgres.stop());
  const { proxy, database, url } = postgres;
  const start = () => startProgram({ data, env: { DATABASE_URL: url } });
  const first = await start();
  await first.signal('SIGINT');
  await database.query(
    `insert into epochs (instance_id, process_name)
     select (select instance_id from epochs limit 1), 'one that has died' from generate_series(1, ${DEAD_EPOCHS})`,
  );
  const before = proxy.statements.length;
  proxy.slow(100);
  const second = await start();
  proxy.mend();
  const sent = proxy.statements.slice(before);
  const base = Math.min(...sent.map(({ depth }) => depth)) - 1;
  expect(sent.filter(({ text }) => text.includes('fence_epoch')).length).toBeGreaterThanOrEqual(DEAD_EPOCHS);
  // What a start waits for last: its first heartbeat, and the prices.
  for (const last of ['update epochs set heartbeat_at', 'as terms_id from price_versions']) {
    const depth = sent.find(({ text }) => text.includes(last))?.depth ?? Infinity;
    expect(depth - base).toBeLessThanOrEqual(ANSWERS_MAX + ANSWERS_OF_THE_DEAD);
  }
  // Programs that start together would take turns at a lock.
  const beats = sent.findIndex(({ text }) => text.includes('update epochs set heartbeat_at'));
  expect(sent.slice(0, beats).filter(({ text }) => text.includes('advisory'))).toEqual([]);
  await second.signal('SIGINT');
});
