import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { gateMark } from '../../ui/gate-mark.ts';

interface SessionFrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** What stands around the pages of people without a session: the gate's mark, and nothing else. */
export function SessionFrame({ title, lead, children }: SessionFrameProps): ReactNode {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-[14dvh] pb-12">
      <title>{`${title} – Faregate`}</title>
      <main id="main" className="flex w-full max-w-90 flex-1 flex-col">
        <img src={gateMark()} alt="Faregate" width={40} height={40} />
        <h1 className="mt-6 text-title font-semibold wrap-anywhere">{title}</h1>
        {lead !== undefined && <div className="mt-1 text-body text-text-2">{lead}</div>}
        <div className="mt-6">{children}</div>
      </main>
      <footer className="mt-12 text-meta">
        <a href={paths.manual()} className="text-text-3 underline-offset-2 hover:underline">
          Manual
        </a>
      </footer>
    </div>
  );
}
