import { amountFields, optionalAmountFields } from '../../../domain/money.ts';
import type { LiveEvent } from './live-contract.ts';
import type { LiveKey, LiveRequest, LiveState } from './live-state.ts';

/** What a new listener is sent. */
export function firstEvents(state: LiveState): readonly LiveEvent[] {
  const { request } = state;
  return [balanceEvent(state), ...(request === null ? [] : [requestEvent(request, false)])];
}

/** What has changed from one look at a workspace to the next. */
export function changeEvents(before: LiveState, now: LiveState): readonly LiveEvent[] {
  const events: LiveEvent[] = [];
  const balance = balanceEvent(now);
  if (JSON.stringify(balanceEvent(before)) !== JSON.stringify(balance)) events.push(balance);
  if (now.request !== null && now.request.id !== before.request?.id) {
    events.push(requestEvent(now.request, before.request === null));
  }
  for (const [id, state] of now.topUps) {
    if (before.topUps.get(id) !== state) events.push({ name: 'payment', data: { id, state } });
  }
  for (const [id, resolved] of now.alerts) {
    if (before.alerts.get(id) !== resolved) events.push({ name: 'alert', data: { id, resolved } });
  }
  return [...events, ...now.keys.map(keyEvent)];
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
