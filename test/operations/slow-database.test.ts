import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { startProxiedPostgres } from '../support/proxied-postgres.ts';

/** Answers that a start waits for one after the other: ten of three seconds each are half a minute. */
const ANSWERS_MAX = 12;
const DEAD_EPOCHS = 24;

test('a start on a slow database waits for few answers in a row, however many workers have died before', async () => {
  const data = await mkdtemp(join(tmpdir(), 'faregate-slow-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const postgres = await startProxiedPostgres();
  onTestFinished(() => postgres.stop());
  const { proxy, database, url } = postgres;
  const start = () => startProgram({ data, args: ['--bootstrap'], env: { DATABASE_URL: url } });
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
  const base = sent[0]?.depth ?? 0;
  // The last that a start waits for: the prices.
  const ready = sent.findLast(({ text }) => text.includes('as terms_id from price_versions'));
  expect(sent.filter(({ text }) => text.includes('fence_epoch')).length).toBeGreaterThanOrEqual(DEAD_EPOCHS);
  expect((ready?.depth ?? Infinity) - base).toBeLessThanOrEqual(ANSWERS_MAX + (2 * DEAD_EPOCHS) / 8);
  // Programs that start together would take turns at a lock.
  const untilReady = sent.slice(
    0,
    sent.findIndex((each) => each === ready),
  );
  expect(untilReady.filter(({ text }) => text.includes('advisory'))).toEqual([]);
  await second.signal('SIGINT');
});
