import { Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { guardSession } from '../api/session-gate.ts';
import { Toaster } from '../ui/toaster.tsx';

/** What every page has, with a session or without. */
export function Root(): ReactNode {
  return (
    <>
      <Outlet />
      <ReAuthentication />
      <Toaster />
    </>
  );
}

type Answer = (isConfirmed: boolean) => void;

const ConfirmationDialog = lazy(async () => ({
  default: (await import('./confirmation-dialog.tsx')).ConfirmationDialog,
}));

/** Asks who the user is when an action needs a recent sign-in; the API client repeats the action then. */
function ReAuthentication(): ReactNode {
  const [waiting, setWaiting] = useState<readonly Answer[]>([]);
  useEffect(
    () => guardSession({ confirm: () => new Promise<boolean>((answer) => setWaiting((all) => [...all, answer])) }),
    [],
  );
  const settle = (isConfirmed: boolean): void => {
    for (const answer of waiting) answer(isConfirmed);
    setWaiting([]);
  };
  return <Suspense>{waiting.length === 0 ? null : <ConfirmationDialog onSettled={settle} />}</Suspense>;
}
