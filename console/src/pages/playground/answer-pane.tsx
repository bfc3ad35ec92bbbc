import { useQuery } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ReceiptJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { allowsModel } from '../../../../src/domain/policy.ts';
import { ApiError } from '../../api/api-error.ts';
import { settledReceiptQuery } from '../../api/playground.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Count } from '../../ui/count.tsx';
import { Duration } from '../../ui/duration.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { Answer } from './answer.ts';
import { isUnderWay, type Run } from './use-run.ts';

interface AnswerPaneProps {
  readonly workspace: string;
  /** The one that pays. */
  readonly project: ProjectJson;
  readonly model: string;
  readonly run: Run | null;
  readonly onStop: () => void;
  /** Goes on with the conversation after this answer. */
  readonly onContinue: (text: string) => void;
}

/** The answer as it arrives, and what it has cost. */
export function AnswerPane({ workspace, project, model, run, onStop, onContinue }: AnswerPaneProps): ReactNode {
  const text = run?.answer.text ?? '';
  return (
    <Section
      title="Answer"
      actions={
        isUnderWay(run) ? (
          <Button icon={<Square size={16} strokeWidth={1.5} />} onClick={onStop}>
            Stop
          </Button>
        ) : (
          run?.state === 'done' && text !== '' && <Button onClick={() => onContinue(text)}>Continue from here</Button>
        )
      }
    >
      {run === null ? (
        <EmptyState cause="No request has been sent yet." detail="Its answer appears here as the model writes it." />
      ) : (
        <>
          <div aria-busy={isUnderWay(run)}>
            <Said answer={run.answer} />
            {run.state === 'sending' && <Spinner />}
            <Ending run={run} />
          </div>
          {run.error !== null && (
            <Failure
              workspace={workspace}
              project={project}
              model={model}
              error={run.error}
              requestId={run.requestId}
            />
          )}
          {run.requestId !== null && <RunFacts workspace={workspace} run={run} requestId={run.requestId} />}
        </>
      )}
    </Section>
  );
}

function Said({ answer: { text, thoughts, refusal, toolCalls } }: { readonly answer: Answer }): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      {thoughts !== '' && <p className="text-control wrap-anywhere whitespace-pre-wrap text-text-3">{thoughts}</p>}
      {text !== '' && (
        <p className="text-body wrap-anywhere whitespace-pre-wrap" data-answer>
          {text}
        </p>
      )}
      {refusal !== '' && <p className="text-body wrap-anywhere whitespace-pre-wrap">{refusal}</p>}
      {toolCalls.map(({ name, arguments: given }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- calls are only ever added at the end
        <div key={at}>
          <p className="mb-1 text-control text-text-2">
            Asks for the tool <code>{name}</code>
          </p>
          <CodeBlock code={given} label={`arguments of ${name}`} wrap />
        </div>
      ))}
    </div>
  );
}

function Ending({ run: { state, answer } }: { readonly run: Run }): ReactNode {
  if (state === 'stopped') {
    return (
      <p className="mt-3 text-meta text-text-2">
        <StatusWord status="off">Stopped. What the model had written by then is charged.</StatusWord>
      </p>
    );
  }
  if (state !== 'done' || answer.finish !== 'length') return null;
  return (
    <p className="mt-3 text-meta text-text-2">
      <StatusWord status="low">Cut off at the most tokens that it may have.</StatusWord>
    </p>
  );
}

interface FailureProps extends Pick<AnswerPaneProps, 'workspace' | 'project' | 'model'> {
  readonly error: Error;
  readonly requestId: string | null;
}

function Failure({ error, requestId, ...place }: FailureProps): ReactNode {
  const isApi = error instanceof ApiError;
  const id = isApi ? error.requestId : requestId;
  return (
    <ErrorPanel
      message={error.message}
      requestId={id}
      code={isApi ? error.code : undefined}
      action={isApi && <Remedy {...place} code={error.code} requestId={id} />}
    />
  );
}

/** Refusals for which the project is the reason. */
const OF_PROJECT: ReadonlyMap<string, string> = new Map([
  ['MODEL_NOT_ALLOWED', "Change the project's models"],
  ['PROJECT_BUDGET_EXCEEDED', "Raise the project's budget"],
  ['RATE_LIMITED', "Raise the project's limits"],
]);

interface RemedyProps extends Omit<FailureProps, 'error'> {
  readonly code: string;
}

/** The way to what lets the request pass, or to the page that says it. */
function Remedy({ workspace, project, model, code, requestId }: RemedyProps): ReactNode {
  const noTopUp = useUnavailable(workspace, 'payments:write', 'add credit');
  const noChange = useUnavailable(workspace, 'projects:write', 'change projects');
  if (code === 'INSUFFICIENT_BALANCE') {
    return (
      <ActionLink href={paths.credit(workspace)} unavailable={noTopUp}>
        Add credit
      </ActionLink>
    );
  }
  const ofProject = OF_PROJECT.get(code);
  const isOfKey = code === 'MODEL_NOT_ALLOWED' && allowsModel([project.models], model);
  if (ofProject !== undefined && !isOfKey) {
    return (
      <ActionLink href={paths.project(workspace, project.id, { change: true })} unavailable={noChange}>
        {ofProject}
      </ActionLink>
    );
  }
  return requestId !== null && <ActionLink href={paths.request(workspace, requestId)}>See what helps</ActionLink>;
}

interface RunFactsProps {
  readonly workspace: string;
  readonly run: Run;
  readonly requestId: string;
}

/** What the request has cost, as its receipt says. */
function RunFacts({ workspace, run, requestId }: RunFactsProps): ReactNode {
  const ended = isUnderWay(run) ? null : { request: requestId, isWhole: run.state === 'done' };
  const { data: receipt, error } = useQuery(settledReceiptQuery(workspace, ended));
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Charge', receipt && <Money exact amount={receipt.charge_nano_usd} />],
    ['Hold', receipt && <Money exact amount={receipt.hold_nano_usd} />],
    ['Tokens', receipt && <Tokens receipt={receipt} />],
    ['First token', receipt && <Duration ms={receipt.first_event_ms} />],
  ];
  return (
    <div className="mt-4 border-t border-line pt-3">
      <dl className="tabular grid grid-cols-2 gap-x-6 gap-y-3 text-control sm:grid-cols-4">
        {facts.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="text-meta text-text-3">{term}</dt>
            <dd>{value ?? (error === null && <Skeleton className="w-16" />)}</dd>
          </div>
        ))}
        <div className="col-span-full min-w-0">
          <dt className="text-meta text-text-3">Request</dt>
          <dd className="flex items-center gap-1">
            <TextLink href={paths.request(workspace, requestId)} className="min-w-0 truncate">
              <code className="font-mono text-meta">{requestId}</code>
            </TextLink>
            <CopyButton text={requestId} label="Copy request id" />
          </dd>
        </div>
      </dl>
      <ProblemPanel error={error} />
    </div>
  );
}

/** The classes of tokens that a model reads; all others it writes. */
const isInput = (name: string): boolean => name.includes('input') || name.includes('cache');

function Tokens({ receipt }: { readonly receipt: ReceiptJson }): ReactNode {
  const counts = Object.entries(receipt.usage.tokens);
  const sum = (isCounted: (name: string) => boolean): number =>
    counts.reduce((total, [name, count]) => (isCounted(name) ? total + count : total), 0);
  return (
    <>
      <Count count={sum(isInput)} /> in, <Count count={sum((name) => !isInput(name))} /> out
    </>
  );
}
