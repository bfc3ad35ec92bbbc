import type { Principal } from '../../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { CompletionEndpoint } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import { admit } from './admit.ts';
import { findSchema } from './by-schema/answer-schema.ts';
import { admitCheaper } from './cheaper-model.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { chooseModel } from './choose-model.ts';
import type { Claim } from './claims/claim.ts';
import { claimKey, openClaim, refuseUnsure } from './claims/claim-key.ts';
import { findFallbacks } from './fallback-models.ts';
import { endUnserved } from './forward.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { type ParsedRequest, read } from './read.ts';
import { recall } from './recall.ts';
import type { AdmittedRequest } from './request.ts';
import type { RequestTrace } from './request-trace.ts';
import { servePlain } from './serve-plain.ts';
import { serveReplay } from './claims/serve-replay.ts';
import { servedBy } from './served.ts';
import { serveStream } from './serve-stream.ts';
import { sellTools } from './sell-tools.ts';
import { LARGE_BYTES, ownTurn } from '../../lib/own-turn.ts';
import { settleFailed } from './settle.ts';
import { countRefused, takePermit } from './take-permit.ts';
import { isJudgedAtHead, refuseAtHead } from './refuse-at-head.ts';
import { rejectRequest } from './reject-request.ts';
import { refuseUnsayable } from './sent-request.ts';

/**
 * The path of a paid request. Every stage either passes or returns a refusal, which ends the path here. Once the
 * request is admitted, its hold closes exactly once on every way out.
 */
export async function serveCompletion(gate: GatewayDeps, caller: Caller, endpoint: CompletionEndpoint): Promise<void> {
  const trace = gate.tracer.begin(caller, DIALECTS[endpoint]);
  const startedMs = gate.clock.monotonicMs();
  try {
    const known = authenticate(gate, caller);
    const principal = known instanceof Promise ? await known : known;
    if ('refusal' in principal) return await endUnserved(gate, caller, { ...unread(endpoint), ...principal }, trace);

    const atHead = isJudgedAtHead(caller) ? await refuseAtHead(gate, caller, principal, endpoint) : null;
    if (atHead !== null) return rejectRequest(gate, caller, { ...unread(endpoint), principal, refusal: atHead }, trace);
    const reading = read(caller, endpoint);
    const parsed = reading instanceof Promise ? await reading : reading;
    if (parsed === null) return;
    if (isRefusal(parsed)) {
      const refusal = await countRefused(gate, principal, parsed);
      return rejectRequest(gate, caller, { ...unread(endpoint), principal, refusal }, trace);
    }
    const { model: modelId } = parsed.request;
    const repeated = gate.failures.takeRepeated(principal.keyId, parsed.received);
    if (repeated !== null) gate.observer.retried(DIALECTS[endpoint].name, repeated);

    const arrival = { principal, parsed, isRetry: repeated !== null, trace, startedMs };
    const { idempotencyKey } = caller;
    const refusal = await (idempotencyKey === undefined
      ? serveParsed(gate, caller, arrival, null)
      : serveOnce(gate, caller, arrival, idempotencyKey));
    if (refusal === null) return;
    gate.failures.add(principal.keyId, parsed.received, 'refused');
    rejectRequest(gate, caller, { ...unread(endpoint), principal, model: modelId, refusal }, trace);
  } finally {
    trace.end();
  }
}

/** What a refusal says of a request whose body isn't read. */
function unread(endpoint: CompletionEndpoint): Pick<RefusedRequest, 'endpoint' | 'model'> {
  return { endpoint: DIALECTS[endpoint].name, model: null };
}

/** A request after parsing. */
interface Arrival {
  readonly principal: Principal;
  readonly parsed: ParsedRequest;
  readonly isRetry: boolean;
  readonly trace: RequestTrace;
  readonly startedMs: number;
}

/**
 * Serves a request with an Idempotency-Key, or replays its stored answer, even if what the request refers to has
 * changed or was deleted since.
 */
async function serveOnce(
  gate: GatewayDeps,
  caller: Caller,
  arrival: Arrival,
  idempotencyKey: string,
): Promise<Refusal | null> {
  const { principal, parsed } = arrival;
  // The digest takes as long as reading the body did.
  if (parsed.received.length > LARGE_BYTES) await ownTurn();
  const claim = openClaim(gate, caller, principal, parsed, idempotencyKey);
  if (isRefusal(claim)) return claim;
  try {
    const outcome = await claimKey(gate, caller, claim);
    if (outcome === 'claimed') return await serveParsed(gate, caller, arrival, claim);
    if (outcome === 'gone') return null;
    if (isRefusal(outcome)) return outcome;
    serveReplay(caller, parsed, outcome);
    return null;
  } finally {
    // The caller may correct and repeat a refused request as soon as it has the refusal.
    await claim.release();
  }
}

/** Serves a request, or returns its refusal. */
async function serveParsed(
  gate: GatewayDeps,
  caller: Caller,
  arrival: Arrival,
  claim: Claim | null,
): Promise<Refusal | null> {
  const { principal, isRetry, trace, startedMs } = arrival;
  const recalling = recall(gate, caller, principal, arrival.parsed);
  const recalled = recalling instanceof Promise ? await recalling : recalling;
  if (isRefusal(recalled)) return countRefused(gate, principal, recalled);

  const checking = findSchema(gate, principal, recalled);
  const schema = checking instanceof Promise ? await checking : checking;
  if (isRefusal(schema)) return countRefused(gate, principal, schema);

  const model = chooseModel(gate, principal, recalled);
  if (isRefusal(model)) return model;

  const parsed = sellTools(gate, model, recalled);
  if (isRefusal(parsed)) return countRefused(gate, principal, parsed);

  const unsent = refuseUnsayable(gate, model, parsed);
  const unsayable = unsent instanceof Promise ? await unsent : unsent;
  if (unsayable !== null) return countRefused(gate, principal, unsayable);

  const found = findFallbacks(gate, principal, model, recalled);
  const fallbacks = found instanceof Promise ? await found : found;
  if (isRefusal(fallbacks)) return countRefused(gate, principal, fallbacks);

  const payer = servedBy(principal, caller, arrival.parsed.request);
  if (isRefusal(payer)) return countRefused(gate, principal, payer);

  trace.admitting();
  const taking = takePermit(gate, principal, model, parsed);
  const permit = taking instanceof Promise ? await taking : taking;
  if (isRefusal(permit)) return permit;
  try {
    if (claim !== null && !claim.isSure) return refuseUnsure();
    const deciding = admit(gate, payer, model, parsed, fallbacks);
    const decided = deciding instanceof Promise ? await deciding : deciding;
    const admission = isRefusal(decided) ? await admitCheaper(gate, payer, model, recalled, decided) : decided;
    if (admission === null) return isRefusal(decided) ? decided : null;
    trace.admitted();
    const content = gate.content.begin(principal, caller.requestId);
    await serveAdmitted({ gate, caller, admission, permit, claim, schema, isRetry, trace, content, startedMs });
    return null;
  } finally {
    permit.release();
  }
}

/** Answers a request whose money is held; its hold closes exactly once on every way out. */
async function serveAdmitted(request: AdmittedRequest): Promise<void> {
  const { gate, caller, admission } = request;
  const { parsed, hold, principal } = admission;
  caller.onGone(() => gate.failures.add(principal.keyId, parsed.received, 'abandoned'));
  try {
    if (parsed.request.text?.stream === true) await serveStream(request, parsed.request.text);
    else await servePlain(request);
  } catch (fault) {
    gate.observer.failed(caller.requestId, fault);
    if (!hold.isClosed) settleFailed(request, [], 'INTERNAL_ERROR');
    caller.refuse(refuse('INTERNAL_ERROR', 'The gateway failed because of a bug. Nothing more was charged.'));
  }
}
