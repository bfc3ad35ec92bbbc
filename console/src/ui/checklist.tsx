import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

export interface ChecklistStep {
  readonly id: string;
  readonly title: string;
  readonly done: boolean;
  /** What to do for it; shown for the first step that is not done. */
  readonly content?: ReactNode;
}

/** Steps in their order: those done are ticked, the next one is open. */
export function Checklist({
  label,
  steps,
}: {
  readonly label: string;
  readonly steps: readonly ChecklistStep[];
}): ReactNode {
  const next = steps.find(({ done }) => !done)?.id;
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map(({ id, title, done, content }, index) => (
        <li
          key={id}
          aria-current={id === next ? 'step' : undefined}
          className="relative flex gap-3 pb-5 not-last:before:absolute not-last:before:top-7 not-last:before:bottom-1 not-last:before:left-[11.5px] not-last:before:w-px not-last:before:bg-line last:pb-0"
        >
          <span
            className={`tabular flex size-6 shrink-0 items-center justify-center rounded-full text-meta font-medium ${done ? 'bg-accent-soft text-accent-text' : id === next ? 'bg-text text-bg' : 'border border-edge text-text-3'}`}
          >
            {done ? <Check size={14} strokeWidth={2} aria-hidden="true" /> : index + 1}
          </span>
          <div className="min-w-0 flex-1 pt-0.5">
            <p className={id === next ? 'font-medium' : 'text-text-2'}>
              {title}
              {done && <span className="sr-only">, done</span>}
            </p>
            {id === next && content && <div className="mt-3">{content}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
