import { expect, test } from 'vitest';
import type { Principal } from '../../../domain/principal.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { DatabaseUnavailable } from '../../../lib/sql.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { KeyReads } from './key-reads.ts';

const TOLD = { id: 'k' };
const caller = (keyId: string): Principal => ({ keyId }) as Principal;

/** Reads once, and returns the code of the refusal, or null. */
async function codeOf(reads: KeyReads, keyId: string): Promise<string | null> {
  const told = await reads.read(caller(keyId));
  return isRefusal(told) ? told.code : null;
}

test('a key may look itself up 60 times a minute, whatever other keys do', async () => {
  const clock = new ManualClock();
  const reads = new KeyReads(() => Promise.resolve(TOLD), clock);

  for (let count = 0; count < 60; count++) expect(await codeOf(reads, 'greedy')).toBeNull();

  expect(await reads.read(caller('greedy'))).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'A key may look itself up 60 times per minute. Retry in 1000 ms.',
    retryAfterMs: 1_000,
  });
  expect(await codeOf(reads, 'other')).toBeNull();
  await clock.advance(999);
  expect(await codeOf(reads, 'greedy')).toBe('RATE_LIMITED');
  await clock.advance(1);
  expect(await codeOf(reads, 'greedy')).toBeNull();
});

test('one calling key is read from the database at a time, and those that would wait for long are refused', async () => {
  const clock = new ManualClock();
  const answers: PromiseWithResolvers<object>[] = [];
  const reads = new KeyReads(() => {
    const answer = Promise.withResolvers<object>();
    answers.push(answer);
    return answer.promise;
  }, clock);

  const codes = Array.from({ length: 52 }, (_none, at) => codeOf(reads, `key ${at}`));

  expect(await codes[51]).toBe('SERVICE_UNAVAILABLE');
  expect(answers).toHaveLength(1);
  await clock.advance(1_000);
  expect(await Promise.all(codes.slice(1))).toEqual(Array.from({ length: 51 }, () => 'SERVICE_UNAVAILABLE'));
  answers[0]?.resolve(TOLD);
  expect(await codes[0]).toBeNull();
  expect(answers).toHaveLength(1);
});

test('a read of a key without the database is refused with a time to come back, and a bug of the program is thrown', async () => {
  const faults: Error[] = [new DatabaseUnavailable('away'), new TypeError('a bug')];
  const reads = new KeyReads(() => Promise.reject(faults.shift() ?? new Error('asked too often')), new ManualClock());
  expect(await reads.read(caller('key'))).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The key could not be looked up. Try again in a moment.',
    retryAfterMs: 1_000,
  });
  await expect(reads.read(caller('key'))).rejects.toThrow('a bug');
});
