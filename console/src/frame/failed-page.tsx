import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { paths } from '../paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** In place of a page that could not be shown. */
export function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const shown =
    error instanceof ApiError
      ? error
      : new Error(`The page failed: ${error instanceof Error ? error.message : 'unknown'}`);
  const retry = (): void => {
    reset();
    router.invalidate().catch(() => undefined);
  };
  return (
    <div className="mx-auto max-w-160 px-4 py-12">
      <title>Something failed – Faregate</title>
      <h1 className="mb-4 text-title font-semibold">This page could not be shown</h1>
      <ProblemPanel error={shown} onRetry={retry} />
    </div>
  );
}

/** At an address that leads nowhere. */
export function UnknownPage(): ReactNode {
  return (
    <div className="mx-auto max-w-160 px-4 py-12">
      <title>Not found – Faregate</title>
      <h1 className="text-title font-semibold">There is no such page</h1>
      <EmptyState
        cause={`Nothing is at ${location.pathname}.`}
        detail="The address may be cut off, or what it led to is gone."
        action={
          <a href={paths.start()} className={buttonClass()}>
            Go to the start
          </a>
        }
      />
    </div>
  );
}
