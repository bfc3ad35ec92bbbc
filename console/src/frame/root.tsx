import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Toaster } from '../ui/toaster.tsx';
import { ReAuthentication } from './re-authentication.tsx';

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
