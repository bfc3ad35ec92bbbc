import type { ReactNode } from 'react';

interface TagProps {
  readonly children: ReactNode;
  readonly tone?: 'plain' | 'accent' | 'warn' | 'danger' | undefined;
}

const TONES = {
  plain: 'bg-sunken text-text-2',
  accent: 'bg-accent-soft text-accent-text',
  warn: 'bg-warn-soft text-warn-text',
  danger: 'bg-danger-soft text-danger-text',
} as const;

/** A word that classifies: a role, a capability, "you". A state is a StatusWord. */
export function Tag({ children, tone = 'plain' }: TagProps): ReactNode {
  return (
    <span
      className={`inline-flex h-5 max-w-full items-center rounded-[4px] px-1.5 text-meta font-medium ${TONES[tone]}`}
    >
      <span className="truncate">{children}</span>
    </span>
  );
}
