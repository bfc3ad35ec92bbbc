import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const STALE_MS = 15_000;
const TRIES_MAX = 3;

/** Only what may pass is tried again: no answer at all, and answers that say "not now". */
function mayPass(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < TRIES_MAX - 1 && mayPass(error),
      },
      mutations: { retry: false },
    },
  });
}
