import type { ReactNode } from 'react';

/** Where text will stand. Give it the width of that text by a class; its height is that of a line. */
export function Skeleton({ className = 'w-24' }: { readonly className?: string | undefined }): ReactNode {
  return (
    <span aria-hidden="true" className={`inline-flex h-5 max-w-full items-center align-top ${className}`}>
      <span className="h-3 w-full animate-pulse rounded-mark bg-line" />
    </span>
  );
}
