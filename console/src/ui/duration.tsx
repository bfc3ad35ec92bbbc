import type { ReactNode } from 'react';
import { formatDuration } from '../format/duration.ts';

interface DurationProps {
  readonly ms: number | null;
  readonly none?: string | undefined;
}

export function Duration({ ms, none = 'none' }: DurationProps): ReactNode {
  if (ms === null) return <span className="text-text-3">{none}</span>;
  return (
    <time dateTime={`PT${(ms / 1000).toFixed(3)}S`} title={`${ms} ms`} className="whitespace-nowrap">
      {formatDuration(ms)}
    </time>
  );
}
