import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../components/page.tsx';
import { paths } from '../paths.ts';
import { useMe } from '../session/access.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** The pages of the whole instance; others than operators read whom they are for. */
export function OperatorArea(): ReactNode {
  if (useMe().user.is_operator) return <Outlet />;
  return (
    <Page title="Not for your account">
      <EmptyState
        cause="Only operators of this instance can see this page."
        detail="It is about all workspaces together. What your role shows you of yours is in the menu. An operator can make you one."
        action={
          <a href={paths.start()} className={buttonClass()}>
            Go to the start
          </a>
        }
      />
    </Page>
  );
}
