import type { ReactNode } from 'react';
import { formatDuration } from '../format/duration.ts';
import { type Status, StatusWord } from '../ui/status-word.tsx';

export interface WaterfallPart {
  /** "waiting", "streaming": what is said on hover. */
  readonly label: string;
  readonly startMs: number;
  readonly ms: number;
  readonly tone: 'accent' | 'warn' | 'danger' | 'quiet';
}

export interface WaterfallRow {
  readonly id: string;
  readonly label: string;
  readonly status: Status;
  readonly outcome: string;
  readonly detail?: string | undefined;
  readonly parts: readonly WaterfallPart[];
}

interface WaterfallProps {
  /** What the rows are: "Attempts". */
  readonly label: string;
  readonly rows: readonly WaterfallRow[];
}

const TONES = { accent: 'bg-accent', warn: 'bg-warn', danger: 'bg-danger', quiet: 'bg-edge' } as const;

const endOf = ({ parts }: WaterfallRow): number => Math.max(0, ...parts.map(({ startMs, ms }) => startMs + ms));

function Track({ parts, end }: { readonly parts: readonly WaterfallPart[]; readonly end: number }): ReactNode {
  const percent = (ms: number): string => `${(ms / end) * 100}%`;
  return (
    <div aria-hidden="true" className="relative h-2.5 min-w-16 overflow-hidden rounded-mark bg-sunken">
      {parts.map(({ label, startMs, ms, tone }) => (
        <div
          key={label}
          title={`${label}: ${formatDuration(ms)}`}
          className={`absolute inset-y-0 min-w-0.5 ${TONES[tone]}`}
          style={{ left: percent(startMs), width: percent(ms) }}
        />
      ))}
    </div>
  );
}

/** What happened after what, on one axis of time. It is a table, so its twin is itself. */
export function Waterfall({ label, rows }: WaterfallProps): ReactNode {
  const end = Math.max(1, ...rows.map(endOf));
  return (
    <table aria-label={label} className="w-full border-separate border-spacing-0 text-control">
      <thead className="sr-only">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Outcome</th>
          <th scope="col">Time</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const started = Math.min(...row.parts.map(({ startMs }) => startMs));
          return (
            <tr key={row.id} className="[&>*]:border-b [&>*]:border-line [&>*]:py-2 [&>*]:align-top">
              <th scope="row" className="max-w-48 pr-3 text-left font-medium wrap-anywhere">
                <div className="sm:min-w-28">
                  {row.label}
                  {row.detail && <span className="block text-meta font-normal text-text-3">{row.detail}</span>}
                </div>
              </th>
              <td className="pr-3">
                <StatusWord status={row.status}>{row.outcome}</StatusWord>
              </td>
              <td className="w-1/2 pt-3! max-sm:hidden">
                <span className="sr-only">{`began after ${formatDuration(started)}`}</span>
                <Track parts={row.parts} end={end} />
              </td>
              <td className="pl-3 text-right whitespace-nowrap">{formatDuration(endOf(row) - started)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
