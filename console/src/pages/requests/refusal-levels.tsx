import type { ReactNode } from 'react';
import type { RefusalJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { MONEY_LEVELS } from '../../../../src/domain/refusals.ts';
import { formatMoneyExactly } from '../../format/money.ts';
import { Meter } from '../../ui/meter.tsx';
import { Money } from '../../ui/money.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

type Shortage = NonNullable<RefusalJson['shortage']>;
type Level = Shortage['levels'][number];
type Names = Pick<RefusalJson, 'project_name' | 'key_name'>;

/** Levels that each request passes. */
const ALWAYS: readonly Level['level'][] = ['workspace', 'project', 'key'];

/** Whether a level is shown. Few requests pass the others, and whether one covered the request is not recorded. */
function isShown(name: Level['level'], { levels }: Shortage): boolean {
  return ALWAYS.includes(name) || levels.some(({ level }) => level === name);
}

/** What each level had left when the request came: too little is marked, the others covered it. */
export function RefusalLevels({ shortage, names }: { readonly shortage: Shortage; readonly names: Names }): ReactNode {
  return (
    <>
      <p className="mb-4 text-control">
        It had to hold <Money exact amount={shortage.needed_nano_usd} className="font-medium" />, the most that it could
        have cost.
      </p>
      <ul aria-label="Levels" className="flex flex-col gap-5">
        {MONEY_LEVELS.filter((name) => isShown(name, shortage)).map((name) => (
          <li key={name}>
            <LevelState
              name={name}
              level={shortage.levels.find(({ level }) => level === name)}
              shortage={shortage}
              names={names}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function titleOf(name: Level['level'], { project_name: project, key_name: key }: Names): string {
  return {
    workspace: 'Credit of the workspace',
    project: `Budget of ${project}`,
    member: `Limit of the member who made ${key}`,
    key: `Limit of ${key}`,
    end_user: `Limit of the end user in ${project}`,
    session: `Limit of the session in ${project}`,
  }[name];
}

function LevelState(props: {
  readonly name: Level['level'];
  readonly level: Level | undefined;
  readonly shortage: Shortage;
  readonly names: Names;
}): ReactNode {
  const { name, level, shortage, names } = props;
  const title = titleOf(name, names);
  return (
    <>
      <p className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-control">
        <span className="font-medium wrap-anywhere">{title}</span>
        {level === undefined ? (
          <StatusWord status="open">covered it</StatusWord>
        ) : (
          <StatusWord status="closed">{`${formatMoneyExactly(missing(level, shortage))} short`}</StatusWord>
        )}
      </p>
      {level !== undefined && (
        <>
          <Meter
            label={title}
            spent={level.used_nano_usd}
            held={level.held_nano_usd}
            limit={level.limit_nano_usd}
            format={formatMoneyExactly}
          />
          {level.resets_at !== null && (
            <p className="mt-1 text-meta text-text-3">
              Resets <Timestamp at={level.resets_at} />
            </p>
          )}
        </>
      )}
    </>
  );
}

/** How much a level lacked. */
export function missing(
  { left_nano_usd: left }: Pick<Level, 'left_nano_usd'>,
  { needed_nano_usd: needed }: Pick<Shortage, 'needed_nano_usd'>,
): bigint {
  return BigInt(needed) - BigInt(left);
}
