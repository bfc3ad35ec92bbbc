import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RefusalJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { allowsModel, type ModelPolicy } from '../../../../src/domain/policy.ts';
import { keyQuery } from '../../api/keys.ts';
import { projectQuery } from '../../api/projects.ts';
import { useKeyUnavailable, useLimitUnavailable } from '../../components/key-rights.ts';
import { formatCount } from '../../format/count.ts';
import { moneyAsDecimal } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { missing } from './refusal-levels.tsx';
import { REFUSAL_WORDS } from './refusal-words.ts';

type Shortage = NonNullable<RefusalJson['shortage']>;
type Level = Shortage['levels'][number];

const NANO_PER_CENT = 10_000_000n;

/** An amount in whole cents, and not below it. */
function inCents(amount: bigint): string {
  const cents = (amount + NANO_PER_CENT - 1n) / NANO_PER_CENT;
  return moneyAsDecimal(cents * NANO_PER_CENT);
}

/** The least limit of a level that would have covered the request. */
export function sufficient(
  level: Pick<Level, 'limit_nano_usd' | 'left_nano_usd'>,
  shortage: Pick<Shortage, 'needed_nano_usd'>,
): string {
  return inCents(BigInt(level.limit_nano_usd) + missing(level, shortage));
}

/** Refusals that have a button of their own. */
const HELPED: ReadonlySet<string> = new Set([
  'MODEL_NOT_ALLOWED',
  'ADDRESS_NOT_ALLOWED',
  'INVALID_API_KEY',
  'MODEL_NOT_FOUND',
  'RATE_LIMITED',
]);

/** What would have let the request pass, as buttons that lead to the form, filled in. */
export function RefusalFix({ refusal }: { readonly refusal: RefusalJson }): ReactNode {
  const { code, shortage, workspace_id: workspace } = refusal;
  const keyHref = paths.key(workspace, refusal.key_id);
  return (
    <div className="flex flex-col items-start gap-3">
      {shortage === null ? (
        <p className="text-control">{REFUSAL_WORDS[code].remedy}</p>
      ) : (
        <ShortageHelp code={code} shortage={shortage} />
      )}
      {shortage?.levels.map((level) => (
        <LevelFix key={level.level} refusal={refusal} level={level} shortage={shortage} />
      ))}
      {code === 'RATE_LIMITED' && <RaiseRate refusal={refusal} />}
      {code === 'MODEL_NOT_ALLOWED' && <PolicyFix refusal={refusal} />}
      {code === 'ADDRESS_NOT_ALLOWED' && <NetworkFix refusal={refusal} />}
      {code === 'INVALID_API_KEY' && <ActionLink href={keyHref}>See the key</ActionLink>}
      {code === 'MODEL_NOT_FOUND' && <ActionLink href={paths.models(workspace)}>See the models</ActionLink>}
      {shortage === null && !HELPED.has(code) && <ActionLink href={paths.errors()}>See all errors</ActionLink>}
    </div>
  );
}

/** What lets such a request pass: more money on each level that had too little, time, or fewer tokens. */
function ShortageHelp({
  code,
  shortage,
}: {
  readonly code: RefusalJson['code'];
  readonly shortage: Shortage;
}): ReactNode {
  const { levels, max_tokens_that_fit: tokens } = shortage;
  const resets = levels.map(({ resets_at: at }) => at).filter((at) => at !== null);
  const waits = levels.length > 0 && resets.length === levels.length ? (resets.toSorted().at(-1) ?? null) : null;
  return (
    <p className="text-control">
      {levels.length > 1
        ? 'Each of these had too little, so all of them have to be raised'
        : withoutStop(REFUSAL_WORDS[code].remedy)}
      {waits !== null && (
        <>
          , or wait until {levels.some(({ level }) => level === 'project') ? 'the budget' : 'the limit'} resets{' '}
          <Timestamp at={waits} />
        </>
      )}
      {tokens !== null && `, or ask for ${formatCount(tokens)} tokens at most`}.
    </p>
  );
}

const withoutStop = (words: string): string => words.replace(/\.$/, '');

interface LevelFixProps {
  readonly refusal: RefusalJson;
  readonly level: Level;
  readonly shortage: Shortage;
}

function LevelFix(props: LevelFixProps): ReactNode {
  const { level } = props.level;
  if (level === 'workspace') return <AddCredit {...props} />;
  if (level === 'member') return <RaiseMemberLimit {...props} />;
  if (level === 'end_user' || level === 'session') return <RaiseServedLimit refusal={props.refusal} level={level} />;
  return level === 'project' ? <RaiseBudget {...props} /> : <RaiseLimit {...props} />;
}

function AddCredit({ refusal, level, shortage }: LevelFixProps): ReactNode {
  const { workspace_id: workspace } = refusal;
  const unavailable = useUnavailable(workspace, 'payments:write', 'add credit');
  const href = paths.credit(workspace, { add: true, amount: inCents(missing(level, shortage)) });
  return (
    <ActionLink kind="primary" href={href} unavailable={unavailable}>
      Add credit
    </ActionLink>
  );
}

function RaiseBudget({ refusal, level, shortage }: LevelFixProps): ReactNode {
  const { workspace_id: workspace, project_id: project } = refusal;
  const unavailable = useUnavailable(workspace, 'projects:write', 'change projects');
  const href = paths.project(workspace, project, { change: true, budget: sufficient(level, shortage) });
  return (
    <>
      <ActionLink kind="primary" href={href} unavailable={unavailable}>
        {"Raise the project's budget"}
      </ActionLink>
      <ActionLink
        href={paths.project(workspace, project, { raise: true, budget: sufficient(level, shortage) })}
        unavailable={unavailable}
      >
        {level.resets_at === null ? 'Raise it for a time only' : 'Raise it for this period only'}
      </ActionLink>
    </>
  );
}

function RaiseMemberLimit({ refusal, level, shortage }: LevelFixProps): ReactNode {
  const { workspace_id: workspace, key_id: key } = refusal;
  const unavailable = useUnavailable(workspace, 'members:write', 'change limits of members');
  const member = useQuery({ ...keyQuery(workspace, key), enabled: unavailable === null }).data?.created_by ?? undefined;
  const search = { member, limit: sufficient(level, shortage) };
  return (
    <>
      <ActionLink kind="primary" href={paths.members(workspace, search)} unavailable={unavailable}>
        {"Raise the member's limit"}
      </ActionLink>
      <ActionLink href={paths.members(workspace, { ...search, raise: true })} unavailable={unavailable}>
        Raise it for this month only
      </ActionLink>
    </>
  );
}

function RaiseServedLimit({
  refusal,
  level,
}: Pick<LevelFixProps, 'refusal'> & { readonly level: 'end_user' | 'session' }): ReactNode {
  const { workspace_id: workspace, project_id: project } = refusal;
  const unavailable = useUnavailable(workspace, 'projects:write', 'change projects');
  return (
    <ActionLink kind="primary" href={paths.project(workspace, project, { change: true })} unavailable={unavailable}>
      {level === 'end_user' ? 'Raise the limit of end users' : 'Raise the limit of sessions'}
    </ActionLink>
  );
}

function RaiseRate({ refusal }: Pick<LevelFixProps, 'refusal'>): ReactNode {
  const { workspace_id: workspace, project_id: project, rate_limit: rate } = refusal;
  const unavailable = useUnavailable(workspace, 'projects:write', 'change projects');
  if (rate === null) return null;
  return (
    <ActionLink kind="primary" href={paths.project(workspace, project, { change: true })} unavailable={unavailable}>
      {"Raise the project's limits"}
    </ActionLink>
  );
}

function RaiseLimit({ refusal, level, shortage }: LevelFixProps): ReactNode {
  const { workspace_id: workspace, key_id: key } = refusal;
  const limit = BigInt(level.limit_nano_usd) + missing(level, shortage);
  const unavailable = useLimitUnavailable(workspace, key, limit);
  const search = { limit: sufficient(level, shortage) };
  return (
    <>
      <ActionLink
        kind="primary"
        href={paths.key(workspace, key, { ...search, change: true })}
        unavailable={unavailable}
      >
        {"Raise the key's limit"}
      </ActionLink>
      <ActionLink href={paths.key(workspace, key, { ...search, raise: true })} unavailable={unavailable}>
        Raise it for this month only
      </ActionLink>
    </>
  );
}

/** Which of key and project does not allow the model now, each with the way to its models. */
function PolicyFix({ refusal }: Pick<LevelFixProps, 'refusal'>): ReactNode {
  const { workspace_id: workspace, project_id: project, key_id: key, model } = refusal;
  const noProject = useUnavailable(workspace, 'projects:write', 'change projects');
  const noKey = useKeyUnavailable(workspace, key);
  const ofProject = useQuery(projectQuery(workspace, project)).data?.models;
  const ofKey = useQuery(keyQuery(workspace, key)).data?.models;
  if (model === null || ofProject === undefined || ofKey === undefined) return <Skeleton className="w-64" />;
  const forbids = (models: ModelPolicy): models is readonly string[] => !allowsModel([models], model);
  return (
    <>
      {forbids(ofProject) && (
        <ForbiddingPolicy
          kind="project"
          name={refusal.project_name}
          models={ofProject}
          href={paths.project(workspace, project, { change: true })}
          unavailable={noProject}
        />
      )}
      {forbids(ofKey) && (
        <ForbiddingPolicy
          kind="key"
          name={refusal.key_name}
          models={ofKey}
          href={paths.key(workspace, key, { change: true })}
          unavailable={noKey}
        />
      )}
      {!forbids(ofProject) && !forbids(ofKey) && (
        <>
          <p className="text-control">Key and project allow it by now: the same request passes.</p>
          <ActionLink href={paths.models(workspace)}>See the models</ActionLink>
        </>
      )}
    </>
  );
}

interface ForbiddingPolicyProps {
  readonly kind: 'project' | 'key';
  readonly name: string | null;
  readonly models: readonly string[];
  readonly href: string;
  readonly unavailable: string | null;
}

/** What a policy allows instead, and the way to change it. */
function ForbiddingPolicy({ kind, name, models, href, unavailable }: ForbiddingPolicyProps): ReactNode {
  return (
    <>
      <p className="text-control">
        The {kind} {name} allows {listed(models)}.
      </p>
      <ActionLink kind="primary" href={href} unavailable={unavailable}>
        {`Change the ${kind}'s models`}
      </ActionLink>
    </>
  );
}

const MODELS = new Intl.ListFormat('en', { type: 'conjunction' });

const listed = (models: readonly string[]): string =>
  models.length === 0 ? 'no model' : `only ${MODELS.format(models)}`;

function NetworkFix({ refusal }: Pick<LevelFixProps, 'refusal'>): ReactNode {
  const { workspace_id: workspace, key_id: key } = refusal;
  const noKey = useKeyUnavailable(workspace, key);
  return (
    <>
      <ActionLink kind="primary" href={paths.key(workspace, key, { change: true })} unavailable={noKey}>
        {"Change the key's networks"}
      </ActionLink>
      <ActionLink href={paths.access(workspace)}>{"See the workspace's networks"}</ActionLink>
    </>
  );
}
