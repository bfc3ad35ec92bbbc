import type { ReactNode } from 'react';
import type { Outcome } from '../../../src/domain/receipt.ts';
import type { Series } from '../charts/series.ts';
import { type Status, StatusWord } from '../ui/status-word.tsx';

const STATUS: Readonly<Record<Outcome, Status>> = {
  completed: 'open',
  interrupted: 'low',
  abandoned: 'off',
  failed: 'closed',
};

/** The outcomes as series of a chart. */
export const OUTCOME_SERIES: readonly (Series & { readonly id: Outcome })[] = [
  { id: 'completed', label: 'completed', role: 'accent' },
  { id: 'abandoned', label: 'abandoned', role: 'quiet' },
  { id: 'interrupted', label: 'interrupted', role: 'warn' },
  { id: 'failed', label: 'failed', role: 'danger' },
];

/** How a request ended: a shape and the word. */
export function OutcomeWord({ outcome }: { readonly outcome: Outcome }): ReactNode {
  return <StatusWord status={STATUS[outcome]}>{outcome}</StatusWord>;
}
