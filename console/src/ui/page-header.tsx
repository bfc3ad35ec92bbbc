import type { ReactNode } from 'react';

interface PageHeaderProps {
  readonly title: ReactNode;
  /** One line that says what this page answers. */
  readonly lead?: ReactNode;
  /** Buttons; the primary one last. */
  readonly actions?: ReactNode;
}

export function PageHeader({ title, lead, actions }: PageHeaderProps): ReactNode {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-title font-semibold wrap-anywhere outline-none">{title}</h1>
        {lead && <p className="mt-1 text-body text-text-2">{lead}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2 max-sm:w-full">{actions}</div>}
    </header>
  );
}
