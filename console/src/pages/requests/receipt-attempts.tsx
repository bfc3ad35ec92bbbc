import type { ReactNode } from 'react';
import type { ReceiptJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { Waterfall, type WaterfallPart, type WaterfallRow } from '../../charts/waterfall.tsx';

type Attempt = ReceiptJson['attempts'][number];

/** The routes that were tried, one after the other. */
export function ReceiptAttempts({ receipt }: { readonly receipt: ReceiptJson }): ReactNode {
  if (receipt.attempts.length === 0) return <p className="text-control text-text-2">No route was tried.</p>;
  return <Waterfall label="Attempts" rows={rowsOf(receipt)} />;
}

/** Attempts follow each other; the last one ends with the request, and the first event of a stream divides it. */
function rowsOf({
  attempts,
  streamed,
  duration_ms: durationMs,
  first_event_ms: firstEventMs,
}: ReceiptJson): readonly WaterfallRow[] {
  let startMs = Math.max(0, durationMs - attempts.reduce((sum, attempt) => sum + attempt.duration_ms, 0));
  return attempts.map((attempt, index) => {
    const row = rowOf(attempt, index, startMs, streamed && index === attempts.length - 1 ? firstEventMs : null);
    startMs += attempt.duration_ms;
    return row;
  });
}

function rowOf(attempt: Attempt, index: number, startMs: number, firstEventMs: number | null): WaterfallRow {
  const { provider, upstream_model: model, status, fault, strategy, charged, duration_ms: ms } = attempt;
  const said = [fault ?? 'answered', ...(status === null ? [] : [String(status)])].join(' · ');
  const detail = [
    model,
    ...(strategy === null ? [] : [`asked by ${strategy.replaceAll('_', ' ')}`]),
    ...(charged === null ? [] : ['did not conform, charged']),
  ].join(' · ');
  return {
    id: String(index),
    label: provider,
    detail,
    status: fault === null ? 'open' : 'closed',
    outcome: said.replaceAll('_', ' '),
    parts: partsOf({ startMs, ms, firstEventMs, hasFailed: fault !== null }),
  };
}

function partsOf(attempt: {
  readonly startMs: number;
  readonly ms: number;
  readonly firstEventMs: number | null;
  readonly hasFailed: boolean;
}): readonly WaterfallPart[] {
  const { startMs, ms, firstEventMs, hasFailed } = attempt;
  if (hasFailed) return [{ label: 'failed', startMs, ms, tone: 'danger' }];
  const waited = firstEventMs === null ? 0 : Math.min(ms, Math.max(0, firstEventMs - startMs));
  return [
    ...(waited > 0 ? [{ label: 'to the first event', startMs, ms: waited, tone: 'quiet' as const }] : []),
    { label: 'answering', startMs: startMs + waited, ms: ms - waited, tone: 'accent' as const },
  ];
}
