import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

/** Goes on as the user who has just signed in: nothing that was read before counts. */
export function useEnter(): (href?: string) => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return async (href = '/') => {
    queries.clear();
    await router.navigate({ href, replace: true });
  };
}
