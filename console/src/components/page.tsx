import { type ReactNode, useEffect } from 'react';
import { PageHeader } from '../ui/page-header.tsx';

interface PageProps {
  /** A word or two; with the name of the thing, if the page is about one. */
  readonly title: string;
  /** One line that says what this page answers. */
  readonly answers?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

let hasShownPage = false;

/** Moves the focus to the heading of a page that was navigated to, so that screen readers and keys begin there. */
function useFocusedHeading(): void {
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (heading !== null) {
      heading.tabIndex = -1;
      if (hasShownPage && document.querySelector('dialog[open]') === null) heading.focus({ preventScroll: true });
    }
    hasShownPage = true;
  }, []);
}

/** A page: its heading, the document's title, and its content. */
export function Page({ title, answers, actions, children }: PageProps): ReactNode {
  useFocusedHeading();
  return (
    <>
      <title>{`${title} – Faregate`}</title>
      <PageHeader title={title} lead={answers} actions={actions} />
      {children}
    </>
  );
}
