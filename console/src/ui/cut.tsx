import type { ReactNode } from 'react';

/** A name in a column that doesn't push other columns out. The whole of it shows on hover, and on a card. */
export function Cut({ children }: { readonly children: string }): ReactNode {
  return (
    <span
      title={children}
      className="inline-block max-w-24 truncate align-bottom max-sm:max-w-full min-[1400px]:max-w-36"
    >
      {children}
    </span>
  );
}
