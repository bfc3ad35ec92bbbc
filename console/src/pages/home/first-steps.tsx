import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { anyKeyQuery, lastRefusalQuery } from '../../api/home.ts';
import { modelsQuery } from '../../api/models.ts';
import { modelToTry } from '../../components/first-request.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { Snippets } from '../../components/snippets.tsx';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { announce } from '../../ui/announcements.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checklist, type ChecklistStep } from '../../ui/checklist.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const ASK_EVERY_MS = 4_000;

/** A request that has ended, as far as it is shown here. */
interface EndedRequest {
  readonly request_id: string;
  readonly charge_nano_usd: string;
}

interface FirstStepsProps {
  /** The workspace's id. */
  readonly id: string;
  /** All that it was credited, in nano-USD; null: the user does not see that. */
  readonly credit: string | null;
  /** The first request; null: it is still waited for. */
  readonly request: EndedRequest | null;
}

/** The way to the first request of a workspace. */
export function FirstSteps({ id, credit, request }: FirstStepsProps): ReactNode {
  const hidesKeys = useUnavailable(id, 'keys:read', 'see keys') !== null;
  const isServed = request !== null;
  useEffect(() => {
    if (isServed) announce('Your first request has arrived.');
  }, [isServed]);
  const { data: keys, error } = useQuery({ ...anyKeyQuery(id), enabled: !hidesKeys });
  if (error !== null) return <ProblemPanel error={error} />;
  if (keys === undefined && !hidesKeys) return <Skeleton className="w-80" />;
  const steps: readonly ChecklistStep[] = [
    ...(credit === null
      ? []
      : [
          {
            id: 'credit',
            title: 'Add credit',
            done: isServed || BigInt(credit) > 0n,
            content: <CreditStep workspace={id} />,
          },
        ]),
    ...(hidesKeys
      ? []
      : [
          {
            id: 'key',
            title: 'Create a key',
            done: isServed || (keys?.data.length ?? 0) > 0,
            content: <KeyStep workspace={id} />,
          },
        ]),
    {
      id: 'request',
      title: 'Send your first request',
      done: isServed,
      content: <RequestStep workspace={id} />,
    },
  ];
  return (
    <>
      <Checklist label="First steps" steps={steps} />
      {request !== null && (
        <p className="mt-2 text-control">
          Your first request has arrived, and was charged <Money exact amount={request.charge_nano_usd} />.{' '}
          <TextLink href={paths.request(id, request.request_id)}>See its receipt</TextLink>
        </p>
      )}
    </>
  );
}

interface ActionStepProps {
  readonly words: string;
  readonly href: string;
  readonly action: string;
  readonly unavailable: string | null;
}

/** What a step is for, and the way to it. */
function ActionStep({ words, href, action, unavailable }: ActionStepProps): ReactNode {
  return (
    <>
      <p className="mb-3 max-w-prose text-control text-text-2">{words}</p>
      <ActionLink kind="primary" href={href} unavailable={unavailable}>
        {action}
      </ActionLink>
    </>
  );
}

function CreditStep({ workspace }: { readonly workspace: string }): ReactNode {
  return (
    <ActionStep
      words="Requests are paid from the workspace's credit, and none is served without."
      href={paths.credit(workspace)}
      action="Add credit"
      unavailable={useUnavailable(workspace, 'payments:write', 'add credit')}
    />
  );
}

function KeyStep({ workspace }: { readonly workspace: string }): ReactNode {
  return (
    <ActionStep
      words="A key lets a program send requests, up to the limit that you give it."
      href={paths.keys(workspace, { create: true })}
      action="Create key"
      unavailable={useUnavailable(workspace, 'keys:write', 'create keys')}
    />
  );
}

function RequestStep({ workspace }: { readonly workspace: string }): ReactNode {
  const { data: models, error } = useQuery(modelsQuery(workspace));
  const mayCreate = useUnavailable(workspace, 'keys:write', 'create keys') === null;
  if (error !== null) return <ProblemPanel error={error} />;
  if (models === undefined) return <Skeleton className="w-80" />;
  return (
    <>
      <Snippets model={modelToTry(models.data)} apiKey={null} />
      <p className="mt-2 text-meta text-text-2">
        A key's secret is shown only when it is created.{' '}
        {mayCreate && (
          <>
            Without one at hand, <TextLink href={paths.keys(workspace, { create: true })}>create another key</TextLink>.
          </>
        )}
      </p>
      <p className="mt-4 flex items-center gap-2 text-control text-text-2">
        <Spinner />
        Waiting for your first request…
      </p>
      <LastRefusal workspace={workspace} />
    </>
  );
}

/** Why nothing has arrived, if what was sent was refused. */
function LastRefusal({ workspace }: { readonly workspace: string }): ReactNode {
  const { data } = useQuery({ ...lastRefusalQuery(workspace), refetchInterval: ASK_EVERY_MS });
  const [refusal] = data?.data ?? [];
  if (refusal === undefined) return null;
  return (
    <div className="mt-3">
      <Banner tone="warn" action={<TextLink href={paths.request(workspace, refusal.request_id)}>See why</TextLink>}>
        Your last request was refused with <code>{refusal.code}</code>.
      </Banner>
    </div>
  );
}
