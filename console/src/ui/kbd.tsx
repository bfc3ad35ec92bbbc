import type { ReactNode } from 'react';

/** A key to press. */
export function Kbd({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-[4px] border border-line bg-sunken px-1 font-sans text-meta text-text-3">
      {children}
    </kbd>
  );
}
