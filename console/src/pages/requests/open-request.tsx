import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { requestPlaceQuery, requestQuery } from '../../api/requests.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { LeadTo } from '../../components/lead-to.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { requestCommand } from '../../components/request-command.ts';
import { paths } from '../../paths.ts';
import { useMe } from '../../session/access.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const ReceiptView = lazy(async () => ({ default: (await import('./receipt-view.tsx')).ReceiptView }));
const RefusalView = lazy(async () => ({ default: (await import('./refusal-view.tsx')).RefusalView }));

interface OpenRequestProps {
  readonly workspace: string;
  readonly request: string;
  /** Null where it is a page of its own. */
  readonly onClose: (() => void) | null;
}

/** One request: its receipt or its refusal. Beside a list it stays in sight and scrolls by itself. */
export function OpenRequest({ workspace, request, onClose }: OpenRequestProps): ReactNode {
  return (
    <section
      aria-label="Open request"
      className={
        onClose === null
          ? ''
          : 'sticky top-[calc(var(--sticky-top)+1rem)] -mr-2 max-h-[calc(100dvh-var(--sticky-top)-2rem)] self-start overflow-y-auto border-l border-line pr-2 pl-6'
      }
    >
      <div className="mb-4 flex items-center gap-1">
        <code className="min-w-0 font-mono text-meta wrap-anywhere text-text-2">{request}</code>
        <CopyButton text={request} label="Copy request id" />
        {onClose !== null && (
          <span className="ml-auto">
            <IconButton label="Close (Esc)" icon={<X size={16} strokeWidth={1.5} />} onClick={onClose} />
          </span>
        )}
      </div>
      <Found workspace={workspace} request={request} />
    </section>
  );
}

function Found({ workspace, request }: Omit<OpenRequestProps, 'onClose'>): ReactNode {
  const { data, error, refetch } = useQuery(requestQuery(workspace, request));
  const isOperator = useMe().user.is_operator;
  if (data === undefined) {
    if (error === null) return <Loading />;
    if (error instanceof ApiError && error.status === 404) {
      return isOperator ? <Elsewhere request={request} workspace={workspace} /> : <Unknown workspace={workspace} />;
    }
    return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  }
  const body = data.kind === 'receipt' ? data.receipt : data.refusal;
  return (
    <>
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      <Suspense fallback={<Loading />}>
        {data.kind === 'receipt' ? <ReceiptView receipt={data.receipt} /> : <RefusalView refusal={data.refusal} />}
      </Suspense>
      <Section title="Raw">
        <CodeBlock code={JSON.stringify(body, null, 2)} label={`JSON of the ${data.kind}`} />
        <CommandLine className="mt-4" command={requestCommand.show(request)} />
      </Section>
    </>
  );
}

function Loading(): ReactNode {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <Skeleton className="w-72" />
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="w-full" />
      ))}
    </div>
  );
}

/** Leads an operator to the workspace of the request, if it is another one's. */
function Elsewhere({ workspace, request }: Omit<OpenRequestProps, 'onClose'>): ReactNode {
  const { data, isPending } = useQuery(requestPlaceQuery(request));
  if (data !== undefined && data.workspace_id !== workspace) {
    return <LeadTo href={paths.request(data.workspace_id, request)} />;
  }
  return isPending ? <Loading /> : <Unknown workspace={workspace} />;
}

/** The same words for an id that never was, and for one of another workspace. */
function Unknown({ workspace }: { readonly workspace: string }): ReactNode {
  return (
    <EmptyState
      cause="This workspace has no request with this id."
      detail="A served request is found by its id whatever its age, a refused one as long as it is kept. Check that the id is complete, and that it comes from this workspace."
      action={
        <a href={paths.requests(workspace)} className={buttonClass()}>
          See all requests
        </a>
      }
    />
  );
}
