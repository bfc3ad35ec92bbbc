import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { statusQuery } from '../api/home.ts';
import { formatNumberOf } from '../format/count.ts';
import { paths } from '../paths.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { HEADER_LINK } from './header-link.ts';

/** Whether the instance is well; leads to what is wrong with it. */
export function InstanceState(): ReactNode {
  const problems = useQuery(statusQuery).data?.problems;
  if (problems === undefined) return <Skeleton className="w-24" />;
  const isWell = problems.length === 0;
  return (
    <a href={paths.operatorInstance()} className={`${HEADER_LINK} ${isWell ? 'text-text' : 'text-danger-text'}`}>
      <span className="shrink-0 font-medium">Instance</span>
      <span className={`min-w-0 truncate ${isWell ? 'text-text-3' : ''}`}>
        <span aria-hidden="true">· </span>
        {isWell ? 'no problems' : formatNumberOf(problems.length, 'problem')}
      </span>
    </a>
  );
}
