import type { NanoUsd } from '../../domain/money.ts';
import type { AlertRule } from './alert-rules.ts';
import { roundUsd, writeDay, writeUsd } from './alert-text.ts';
import { standingOfBalance } from './crossings.ts';
import { dailyBurn } from './daily-burn.ts';
import type { Finding } from './open-alerts.ts';
import type { NextExpiry, WatchedWorkspace } from './watched-workspaces.ts';

/** The amount that a balance should not fall below, and how that is said. */
interface Floor {
  readonly amount: NanoUsd;
  readonly summary: string;
}

/** What is known of the credit behind a balance. */
interface KnownCredit {
  readonly lastTopUp: NanoUsd | null;
  /** What of it expires next. */
  readonly nextExpiry: NextExpiry | null;
}

function expiryText({ amount, expiresAt }: NextExpiry): string {
  return `Of it, ${roundUsd(amount)} will expire on ${writeDay(expiresAt)}.`;
}

/** What the rules about balances find in a workspace. One that never had credit has no balance to watch. */
export function balanceFindings(
  workspace: WatchedWorkspace,
  rules: readonly AlertRule[],
  { lastTopUp, nextExpiry }: KnownCredit,
): readonly Finding[] {
  const { id, name, credited, spent } = workspace;
  if (credited === 0n && spent === 0n) return [];
  const balance = credited - spent;
  return rules.flatMap((rule) => {
    const floor = floorOf(rule, workspace, { balance, lastTopUp });
    if (floor === null) return [];
    const finding: Finding = {
      workspaceId: id,
      ruleId: rule.id,
      subjectId: id,
      standing: standingOfBalance(balance, floor.amount),
      crossing: () => ({
        subjectKind: 'workspace',
        subjectId: id,
        subjectName: name,
        window: null,
        summary: nextExpiry === null ? floor.summary : `${floor.summary} ${expiryText(nextExpiry)}`,
        value: balance,
        limit: floor.amount,
      }),
    };
    return [finding];
  });
}

/** Null: the rule says nothing about this workspace, or is not about balances. */
function floorOf(
  { kind, threshold }: AlertRule,
  { name, nowMs, spent, marks }: WatchedWorkspace,
  { balance, lastTopUp }: { readonly balance: NanoUsd; readonly lastTopUp: NanoUsd | null },
): Floor | null {
  if (threshold === null) return null;
  const stands = `The balance of "${name}" is ${roundUsd(balance)}`;
  if (kind === 'balance_below') {
    return { amount: threshold, summary: `${stands}, below ${writeUsd(threshold)}.` };
  }
  if (kind === 'balance_share') {
    if (lastTopUp === null) return null;
    const summary = `${stands}, below ${threshold} % of the last top-up of ${roundUsd(lastTopUp)}.`;
    return { amount: (lastTopUp * threshold) / 100n, summary };
  }
  if (kind === 'runway') {
    const burn = dailyBurn(marks, { atMs: nowMs, spent });
    if (burn === null) return null;
    const days = threshold === 1n ? 'a day' : `${threshold} days`;
    return { amount: burn * threshold, summary: `${stands}: less than ${days} at ${roundUsd(burn)} a day.` };
  }
  return null;
}
