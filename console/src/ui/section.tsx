import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  /** What stands in front of the title. */
  readonly mark?: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A heading, a hairline, and what stands under them. */
export function Section({ title, mark, lead, actions, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8 first:mt-0">
      <div
        className={`mb-4 flex flex-wrap ${lead ? 'items-end' : 'items-center'} justify-between gap-x-4 gap-y-2 border-b border-line pb-2`}
      >
        <div className="min-w-0">
          <h2 id={id} className="text-section font-semibold">
            {mark}
            {title}
          </h2>
          {lead && <p className="text-control text-text-2">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
