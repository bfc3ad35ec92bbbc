import type { ReactNode } from 'react';
import { NavTabs } from '../ui/nav-tabs.tsx';
import { ACCOUNT_PLACES } from './account-places.ts';
import { Page } from './page.tsx';

interface AccountPageProps {
  readonly title: string;
  readonly answers: string;
  /** The address of the page. */
  readonly current: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the signed-in user's own account, with links to the others. */
export function AccountPage({ title, answers, current, actions, children }: AccountPageProps): ReactNode {
  return (
    <Page title={title} answers={answers} actions={actions}>
      <NavTabs label="Your account" tabs={ACCOUNT_PLACES} current={current} />
      {children}
    </Page>
  );
}
