import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { announce } from '../ui/announcements.ts';
import { IconButton } from '../ui/icon-button.tsx';

/** What a chart says, as a table: the same numbers, exact. */
export interface TableTwin {
  readonly headers: readonly string[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly string[] }[];
}

interface ChartFrameProps {
  /** What the chart shows: "Charge by day and model". */
  readonly label: string;
  /** The sum, or what else is read first. */
  readonly lead?: ReactNode;
  readonly twin: TableTwin;
  /** False where the page has the same table anyway. */
  readonly showLabel?: boolean | undefined;
  readonly children: ReactNode;
}

function TwinTable({ label, twin }: { readonly label: string; readonly twin: TableTwin }): ReactNode {
  return (
    <div className="max-h-72 overflow-auto">
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-control">
        <thead>
          <tr>
            {twin.headers.map((header, index) => (
              <th
                key={header}
                scope="col"
                className={`sticky top-0 h-8 border-b border-line bg-bg px-2 text-meta font-medium whitespace-nowrap text-text-3 ${index === 0 ? 'text-left' : 'text-right'}`}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {twin.rows.map(({ id, cells: [first, ...others] }) => (
            <tr key={id}>
              <th scope="row" className="h-8 border-b border-line px-2 text-left font-normal whitespace-nowrap">
                {first}
              </th>
              {others.map((cell, index) => (
                <td
                  key={twin.headers[index + 1]}
                  className="h-8 border-b border-line px-2 text-right whitespace-nowrap"
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A chart under its label, with its table one key away: T, or the button. */
export function ChartFrame({ label, lead, twin, showLabel = true, children }: ChartFrameProps): ReactNode {
  const figure = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [asTable, setAsTable] = useState(false);
  const toggle = useCallback(() => {
    announce(asTable ? 'Shown as a chart' : 'Shown as a table');
    setAsTable(!asTable);
    // What had the focus may be gone with the chart.
    button.current?.focus();
  }, [asTable]);
  useEffect(() => {
    const element = figure.current;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 't' || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      toggle();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [toggle]);
  return (
    <figure ref={figure} aria-label={label} className="min-w-0">
      <div className="mb-1 flex min-h-8 items-center justify-between gap-3">
        <figcaption className={showLabel ? 'min-w-0 text-control font-medium' : 'sr-only'}>
          {label}
          {lead && <span className="ml-2 font-normal text-text-2">{lead}</span>}
        </figcaption>
        <IconButton
          ref={button}
          label={asTable ? 'Show as a chart (T)' : 'Show as a table (T)'}
          aria-pressed={asTable}
          icon={asTable ? <ChartColumn size={16} strokeWidth={1.5} /> : <Table2 size={16} strokeWidth={1.5} />}
          onClick={toggle}
          className="ml-auto"
        />
      </div>
      {asTable ? <TwinTable label={label} twin={twin} /> : children}
    </figure>
  );
}
