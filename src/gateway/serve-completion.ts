import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts';
import { admit } from './admit.ts';
import { findSchema } from './answer-schema.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { chooseModel } from './choose-model.ts';
import { claimKey, Replay } from './claim-key.ts';
import type { Gate } from './gate.ts';
import { type Asked, read } from './read.ts';
import type { AdmittedRequest } from './request.ts';
import { servePlain } from './serve-plain.ts';
import { serveReplay } from './serve-replay.ts';
import { serveStream } from './serve-stream.ts';
import { settleFailed } from './settle.ts';
import { takePermit } from './take-permit.ts';

/**
 * The path of a request that is paid for. Every stage either passes or ends it here with a refusal; once it is
 * admitted, its hold closes exactly once on every way out.
 */
export async function serveCompletion(gate: Gate, caller: Caller, endpoint: Asked['endpoint']): Promise<void> {
  const startedMs = gate.clock.monotonicMs();
  const turnAway = (refusal: Refusal, keyId: string | null): void => {
    gate.observer.refused(caller.requestId, keyId, refusal);
    caller.refuse(refusal);
  };

  const known = authenticate(gate, caller);
  const principal = known instanceof Promise ? await known : known;
  if (isRefusal(principal)) return turnAway(principal, null);
  const { keyId } = principal;

  const reading = read(caller, endpoint);
  const asked = reading instanceof Promise ? await reading : reading;
  if (asked === null) return;
  if (isRefusal(asked)) return turnAway(asked, keyId);

  const found = findSchema(gate, principal, asked);
  const schema = found instanceof Promise ? await found : found;
  if (isRefusal(schema)) return turnAway(schema, keyId);

  const model = chooseModel(gate, principal, asked);
  if (isRefusal(model)) return turnAway(model, keyId);

  const { idempotencyKey } = caller;
  const claim = idempotencyKey === undefined ? null : await claimKey(gate, caller, principal, asked, idempotencyKey);
  if (claim === 'gone') return;
  if (isRefusal(claim)) return turnAway(claim, keyId);
  if (claim instanceof Replay) return serveReplay(caller, asked, claim);

  const taken = takePermit(gate, principal, model, asked);
  const permit = taken instanceof Promise ? await taken : taken;
  if (isRefusal(permit)) {
    claim?.release();
    return turnAway(permit, keyId);
  }

  const decided = admit(gate, principal, model, asked);
  const admission =
    decided instanceof Promise
      ? await decided.catch((fault: unknown) => {
          permit.giveBack();
          throw fault;
        })
      : decided;
  if (isRefusal(admission)) {
    permit.giveBack();
    claim?.release();
    return turnAway(admission, keyId);
  }

  const request: AdmittedRequest = { gate, caller, admission, permit, claim, schema, startedMs };
  try {
    if (asked.endpoint === 'chat' && asked.request.stream) await serveStream(request, asked.request);
    else await servePlain(request);
  } catch (fault) {
    gate.observer.failed(caller.requestId, fault);
    if (!admission.hold.isClosed) settleFailed(request, []);
    caller.refuse(refuse('INTERNAL_ERROR', 'Something failed here that should not have. Nothing more was charged.'));
  }
}
