import { amountFields, optionalAmountFields } from '../../../domain/money.ts';
import type { LiveEvent } from './live-contract.ts';
import type { LiveKey, LiveRequest, LiveState } from './live-state.ts';

/** An event, and who may see it of those with the right to its kind. */
export interface DirectedEvent {
  readonly event: LiveEvent;
  /** Whether those see it whose right covers everything in the workspace. */
  readonly isForAll: boolean;
  /** The user who sees it by a right to their own things alone; null: none. */
  readonly of: string | null;
}

const forAll = (event: LiveEvent, of: string | null = null): DirectedEvent => ({ event, isForAll: true, of });
const forOne = (event: LiveEvent, of: string): DirectedEvent => ({ event, isForAll: false, of });

/** What a new listener is sent. */
export function firstEvents(state: LiveState): readonly DirectedEvent[] {
  const { request, requestsOf } = state;
  return [
    forAll(balanceEvent(state)),
    ...(request === null ? [] : [forAll(requestEvent(request, false))]),
    ...[...requestsOf].map(([userId, own]) => forOne(requestEvent(own, false), userId)),
  ];
}

/** What has changed from one look at a workspace to the next. */
export function changeEvents(before: LiveState, now: LiveState): readonly DirectedEvent[] {
  const events: DirectedEvent[] = [];
  const balance = balanceEvent(now);
  if (JSON.stringify(balanceEvent(before)) !== JSON.stringify(balance)) events.push(forAll(balance));
  if (now.request !== null && now.request.id !== before.request?.id) {
    events.push(forAll(requestEvent(now.request, before.request === null)));
  }
  for (const [userId, own] of now.requestsOf) {
    if (before.requestsOf.get(userId)?.id === own.id) continue;
    events.push(forOne(requestEvent(own, before.request === null), userId));
  }
  for (const [id, state] of now.topUps) {
    if (before.topUps.get(id) !== state) events.push(forAll({ name: 'payment', data: { id, state } }));
  }
  for (const [id, resolved] of now.alerts) {
    if (before.alerts.get(id) !== resolved) events.push(forAll({ name: 'alert', data: { id, resolved } }));
  }
  return [...events, ...now.keys.map((key) => forAll(keyEvent(key), key.madeBy))];
}

function balanceEvent({ balance, held, leased, owed, burn }: LiveState): LiveEvent {
  return {
    name: 'balance',
    data: {
      ...amountFields('balance', balance),
      ...amountFields('held', held),
      ...amountFields('leased', leased),
      ...amountFields('owed', owed),
      ...optionalAmountFields('burn', burn),
      runway_days: burn === null || burn <= 0n ? null : Math.max(0, Number(balance / burn)),
    },
  };
}

function requestEvent({ id, outcome, charge, settledAt, ageMs }: LiveRequest, isFirst: boolean): LiveEvent {
  const amount = amountFields('charge', charge);
  const settled = { settled_at: settledAt.toISOString(), age_ms: ageMs };
  const data = { request_id: id, outcome, ...amount, ...settled, is_first: isFirst };
  return { name: 'request', data };
}

function keyEvent({ id, projectId, change }: LiveKey): LiveEvent {
  return { name: 'key', data: { id, project_id: projectId, change } };
}
