import type { Principal } from '../../../domain/principal.ts';
import type { Period, Window } from '../../../domain/window.ts';
import type { BriefKind, PurseKind, PurseName } from '../ports/database.ts';

/** The purses of a caller's requests, in the order in which refusals name them: from the widest to the narrowest. */
export function purseNamesOf(
  { workspaceId, projectId, keyId, memberLimitId, budgetPeriod }: Principal,
  windowOf: (period: Period) => Window,
): readonly PurseName[] {
  const named = (kind: PurseKind, subjectId: string, period: Period): PurseName => {
    const { startMs: windowStartMs, endMs: windowEndMs } = windowOf(period);
    return { workspaceId, kind, subjectId, period, windowStartMs, windowEndMs };
  };
  return [
    named('credit', workspaceId, 'never'),
    named('project', projectId, budgetPeriod),
    ...(memberLimitId === null ? [] : [named('member', memberLimitId, 'month')]),
    named('key', keyId, 'month'),
  ];
}

/** The brief purses of a request, from the wider to the narrower; none of a caller apart from its requests. */
export function briefNamesOf(
  { workspaceId, projectId, served, servedLimits }: Principal,
  windowOf: (period: Period) => Window,
): readonly PurseName[] {
  if (served === null) return [];
  const { endUserId, sessionId } = served;
  const period = servedLimits?.endUserPeriod ?? 'month';
  const named = (kind: BriefKind, subjectId: string, window: Window): PurseName => {
    const { period: of, startMs: windowStartMs, endMs: windowEndMs } = window;
    return { workspaceId, kind, subjectId, period: of, windowStartMs, windowEndMs, projectId };
  };
  return [
    ...(endUserId === null ? [] : [named('end_user', endUserId, windowOf(period))]),
    ...(sessionId === null ? [] : [named('session', sessionId, windowOf('month'))]),
  ];
}

/** A purse's name as a string. */
export function purseKey({ kind, subjectId, period, windowStartMs }: PurseName): string {
  return `${kind} ${subjectId} ${period} ${windowStartMs}`;
}
