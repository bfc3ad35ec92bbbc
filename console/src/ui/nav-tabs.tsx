import type { ReactNode } from 'react';

export interface NavTab {
  readonly label: string;
  readonly href: string;
}

interface NavTabsProps {
  /** What they lead through, for screen readers. */
  readonly label: string;
  readonly tabs: readonly NavTab[];
  /** The address of the page that is shown. */
  readonly current: string;
}

/** Pages that belong together, as links that look like Tabs. */
export function NavTabs({ label, tabs, current }: NavTabsProps): ReactNode {
  return (
    <nav aria-label={label} className="mb-6 flex gap-4 overflow-x-auto shadow-underline">
      {tabs.map((tab) => (
        <a
          key={tab.href}
          href={tab.href}
          aria-current={tab.href === current ? 'page' : undefined}
          className="flex h-9 target items-center border-b-2 border-transparent text-control whitespace-nowrap text-text-2 no-underline transition-colors -outline-offset-2 hover:text-text aria-[current=page]:border-text aria-[current=page]:font-medium aria-[current=page]:text-text"
        >
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
