import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { createQueryClient } from './query-client.ts';

const failed = (status: number) => new ApiError(status, { message: 'No.', code: 'C', param: null }, null);

test.each([
  ['that could not be sent', failed(0), 3],
  ['answered by "slow down"', failed(429), 3],
  ['that met a bug', failed(500), 3],
  ['answered by "not now"', failed(503), 3],
  ['that is wrong', failed(400), 1],
  ['of nobody who is signed in', failed(401), 1],
  ['that is not allowed', failed(403), 1],
  ['for a thing that is not there', failed(404), 1],
  ['that contradicts the present state', failed(409), 1],
  ['that a bug of the page ends', new TypeError('boom'), 1],
])('a question %s is asked so often', async (_, fault, times) => {
  const queryFn = vi.fn<() => Promise<never>>(() => Promise.reject(fault));
  const observer = new QueryObserver(createQueryClient(), { queryKey: ['q'], queryFn, retryDelay: 0 });
  const end = Promise.withResolvers<Error>();
  const leave = observer.subscribe(({ error }) => error !== null && end.resolve(error));
  expect(await end.promise).toBe(fault);
  leave();
  expect(queryFn).toHaveBeenCalledTimes(times);
});

test('a change is never sent a second time by itself, whatever its answer is', async () => {
  const client = createQueryClient();
  const mutationFn = vi.fn<() => Promise<never>>(() => Promise.reject(failed(503)));
  const mutation = client.getMutationCache().build(client, { mutationFn });
  await expect(mutation.execute(undefined)).rejects.toThrow('No.');
  expect(mutationFn).toHaveBeenCalledTimes(1);
});
