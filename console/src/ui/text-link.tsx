import type { AnchorHTMLAttributes, ReactNode } from 'react';

/** A link within words. */
export function TextLink({ className = '', children, ...link }: AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
  return (
    <a {...link} className={`${className} underline underline-offset-2`}>
      {children}
    </a>
  );
}
