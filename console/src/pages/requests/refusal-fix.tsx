import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RefusalJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { reachOf } from '../../../../src/domain/roles.ts';
import { keyQuery } from '../../api/keys.ts';
import { formatCount } from '../../format/count.ts';
import { moneyAsDecimal } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { roleIn, useMe, useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
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

/** What would have let the request pass, as buttons that lead to the form, filled in. */
export function RefusalFix({ refusal }: { readonly refusal: RefusalJson }): ReactNode {
  const { code, shortage } = refusal;
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
      {(code === 'MODEL_NOT_FOUND' || code === 'MODEL_NOT_ALLOWED') && (
        <ActionLink href={paths.models(refusal.workspace_id)}>See the models</ActionLink>
      )}
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
          , or wait until the budget resets <Timestamp at={waits} />
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
    <ActionLink kind="primary" href={href} unavailable={unavailable}>
      {"Raise the project's budget"}
    </ActionLink>
  );
}

function RaiseMemberLimit({ refusal, level, shortage }: LevelFixProps): ReactNode {
  const { workspace_id: workspace, key_id: key } = refusal;
  const unavailable = useUnavailable(workspace, 'members:write', 'change limits of members');
  const member = useQuery({ ...keyQuery(workspace, key), enabled: unavailable === null }).data?.created_by ?? undefined;
  return (
    <ActionLink
      kind="primary"
      href={paths.members(workspace, { member, limit: sufficient(level, shortage) })}
      unavailable={unavailable}
    >
      {"Raise the member's limit"}
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
  const me = useMe();
  const role = roleIn(me, workspace);
  const mayChangeOwn = role !== null && reachOf(role, 'keys:write') === 'own';
  // Only where rights depend on who made the key is it asked for.
  const owner = useQuery({ ...keyQuery(workspace, key), enabled: mayChangeOwn }).data?.created_by;
  const isOwn = owner === me.user.id;
  const unavailable = useUnavailable(workspace, 'keys:write', isOwn ? 'change keys' : 'change keys of others', isOwn);
  const href = paths.key(workspace, key, { change: true, limit: sufficient(level, shortage) });
  return (
    <ActionLink kind="primary" href={href} unavailable={unavailable}>
      {"Raise the key's limit"}
    </ActionLink>
  );
}
