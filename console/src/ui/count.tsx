import type { ReactNode } from 'react';
import { formatCount } from '../format/count.ts';

interface CountProps {
  readonly count: number | bigint | string | null;
  readonly none?: string | undefined;
}

export function Count({ count, none = 'none' }: CountProps): ReactNode {
  if (count === null) return <span className="text-text-3">{none}</span>;
  return (
    <data value={count.toString()} className="whitespace-nowrap">
      {formatCount(count)}
    </data>
  );
}
