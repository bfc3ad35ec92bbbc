import type { ReactNode } from 'react';

export interface Definition {
  readonly term: string;
  readonly value: ReactNode;
}

/** What is false or null is left out. */
export type DefinitionItems = readonly (Definition | false | null)[];

/** The facts of one thing: terms and values. */
export function DefinitionList({ items }: { readonly items: DefinitionItems }): ReactNode {
  const known = items.filter((item) => item !== false && item !== null);
  return (
    <dl className="grid grid-cols-[minmax(96px,max-content)_1fr] gap-x-6 gap-y-2 text-control max-sm:grid-cols-[auto_1fr] max-sm:gap-x-4">
      {known.map(({ term, value }) => (
        <div key={term} className="col-span-full grid grid-cols-subgrid items-baseline">
          <dt className="text-text-3">{term}</dt>
          <dd className="tabular min-w-0 wrap-anywhere max-sm:text-right max-sm:[&_span]:whitespace-normal">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
