import type { ReactNode } from 'react';
import { Button, buttonClass, type ButtonKind } from './button.tsx';

interface ActionLinkProps {
  readonly href: string;
  readonly kind?: ButtonKind | undefined;
  /** Why it cannot be followed: it stays in its place as a button that says so. */
  readonly unavailable?: string | null | undefined;
  /** The name of the file that it downloads. */
  readonly download?: string | undefined;
  readonly children: ReactNode;
}

/** An action that is an address: a form elsewhere, or a file. */
export function ActionLink({ href, kind, unavailable = null, download, children }: ActionLinkProps): ReactNode {
  if (unavailable !== null) return <Button unavailable={unavailable}>{children}</Button>;
  return (
    <a href={href} download={download} className={buttonClass(kind)}>
      {children}
    </a>
  );
}
