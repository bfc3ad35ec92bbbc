import { isRefusal, type Refusal } from '../domain/refusals.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { callableModels } from './choose-model.ts';
import type { Gate } from './gate.ts';

/** Answers with the calling key: its limits and its project's, how they stand, and the models that it may call. */
export async function serveKey(gate: Gate, caller: Caller): Promise<void> {
  const turnAway = (refusal: Refusal, keyId: string | null): void => {
    gate.observer.refused(caller.requestId, keyId, refusal);
    caller.refuse(refusal);
  };
  const principal = await authenticate(gate, caller);
  if (isRefusal(principal)) return turnAway(principal, null);
  const key = await gate.keyReads.read(principal);
  if (isRefusal(key)) return turnAway(key, principal.keyId);
  const models = callableModels(gate, principal).map(({ id }) => id);
  caller.answer(Buffer.from(JSON.stringify({ object: 'key', ...key, models })), []);
}
