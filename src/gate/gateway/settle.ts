import type { Model } from '../../domain/model.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { costOf, feesOf, type Price, type TierPrice } from '../../domain/price.ts';
import type { AttemptRecord, Outcome } from '../../domain/receipt.ts';
import { chargedTier, priceIn } from '../../domain/tier-price.ts';
import type { AnsweredTier } from '../../domain/service-tier.ts';
import type { RefusalCode } from '../../domain/refusals.ts';
import { inputTokens, NO_TOKENS, outputTokens, sumUsage, type TokenCounts, type Usage } from '../../domain/usage.ts';
import { NO_USES, sumUses, type ToolUses, type Uses } from '../../domain/uses.ts';
import type { Settled } from '../dialects/usage-cost.ts';
import { estimateAudioTokens } from '../openai/chat-audio.ts';
import { reportsCost } from './answers/reports-cost.ts';
import type { RouteAffinity } from './attempts/route-attempts.ts';
import { outputMaxOf } from './answers/output-max.ts';
import type { ParsedRequest } from './read.ts';
import { extrasOf } from './receipt-extras.ts';
import type { AdmittedRequest } from './request.ts';

const BYTES_PER_TOKEN = 4;

/** The end of a request, for its receipt. */
export interface RequestEnd {
  readonly outcome: Outcome;
  readonly usage: Usage;
  /** Uses of tools that the provider has run, as far as they are for sale; absent if there were none. */
  readonly uses?: ToolUses;
  /** The number of requests that the provider bills; absent: one. */
  readonly requests?: number | undefined;
  /** The service tier that the answer names; absent if it names none, or none was looked for. */
  readonly tier?: AnsweredTier | undefined;
  readonly attempts: readonly AttemptRecord[];
  /** The error that the caller gets; absent if it gets none. */
  readonly code?: RefusalCode;
  /** Milliseconds from the request to its first data event; null if it had none. */
  readonly firstEventMs: number | null;
  /** Whether the whole answer was produced, even if the caller has left: a repeat of the request gets it. */
  readonly isWhole: boolean;
  /** The parts of the caller's request that its provider was not sent; absent if no provider answered. */
  readonly leftOut?: readonly string[];
  /** By what the route was chosen that has answered; absent or null: by nothing, or none has. */
  readonly affinity?: RouteAffinity | null | undefined;
  /**
   * Resolves once the response is stored for later requests, or lost. Absent or null: it isn't kept. Never rejects.
   */
  readonly keeping?: Promise<boolean> | null;
  /** The end of a whole answer, or all of a plain one, sent after settlement. Absent if no repeat gets it. */
  readonly lastBytes?: ((settled: Settled) => Buffer) | undefined;
}

export const NOTHING_USED: Usage = { tokens: NO_TOKENS, certainty: 'exact' };

/** Size of an answer whose tokens the provider didn't report. */
interface ProducedBytes {
  /** UTF-8 bytes of the model's text. */
  readonly contentBytes: number;
  /** Base64 bytes of its audio; absent if there is none. */
  readonly audioBytes?: number;
}

/**
 * The reported usage, else an estimate from the bytes of input and output. `input`: a separately reported input count,
 * used instead of the estimate.
 */
export function usageOf(
  request: AdmittedRequest,
  reported: TokenCounts | null,
  produced: ProducedBytes,
  input?: TokenCounts,
): Usage {
  if (reported !== null) return { tokens: reported, certainty: 'exact' };
  const { parsed, quote } = request.admission;
  // A provider that is sent more than its model reads cuts it off.
  const estimate = Math.min(Math.ceil(parsed.request.input.bytes / BYTES_PER_TOKEN), quote.inputTokensMax);
  const tokens = {
    ...(input ?? { ...NO_TOKENS, input: estimate }),
    ...estimateOutput(request, produced),
  };
  return { tokens, certainty: 'estimated' };
}

/** Unrequested audio counts as nothing; other audio at most as what the answer's cap leaves after its text. */
function estimateOutput(
  { admission: { parsed, quote } }: AdmittedRequest,
  { contentBytes, audioBytes = 0 }: ProducedBytes,
): Pick<TokenCounts, 'output' | 'audio_output'> {
  const { text, audio } = parsed.request;
  if (text === null) return { output: 0, audio_output: 0 };
  const output = Math.ceil(contentBytes / BYTES_PER_TOKEN);
  if (audio === null) return { output, audio_output: 0 };
  const left = Math.max(0, outputMaxOf(parsed, quote) - output);
  return { output, audio_output: Math.min(estimateAudioTokens(audio, audioBytes), left) };
}

/**
 * Closes the hold with the exact charge, and resolves to it once the receipt is durable. The excess over the hold is
 * written off. The last bytes of a whole answer for repeats are added here, since they may contain the charge.
 */
export async function settle(request: AdmittedRequest, ending: RequestEnd): Promise<Settled> {
  const { gate, caller, admission, permit, claim, trace, content, startedMs } = request;
  const { principal, model, quote, hold, parsed } = admission;
  const { price } = model.terms;
  const served = price.serviceTiers === undefined ? null : servedTier(ending, price, parsed);
  const { usage, cost: tokenCost } = withRejectedAnswers(ending, served?.price ?? price, served?.isEstimated === true);
  const uses = usesOf(ending, model);
  const fees = feesOf(price, uses);
  const cost = tokenCost + fees;
  const { tokens } = usage;
  const charge = cost < hold.amount ? cost : hold.amount;
  permit.finish(inputTokens(tokens) + outputTokens(tokens));
  const { requestId, clientRequestId } = caller;
  const { outcome, attempts, firstEventMs } = ending;
  const settled = { charge, tokens: ending.usage.tokens, inUsage: reportsCost(admission) };
  if (ending.isWhole && ending.lastBytes !== undefined) claim?.keep(ending.lastBytes(settled));
  const extras = extrasOf(request, ending, uses, served?.tier ?? null);
  const isFailure = outcome === 'failed' || outcome === 'interrupted';
  if (isFailure && !caller.isGone) gate.failures.add(principal.keyId, parsed.received, outcome);
  const settlingMs = gate.clock.monotonicMs();
  const receipt = {
    requestId,
    workspaceId: principal.workspaceId,
    projectId: principal.projectId,
    keyId: principal.keyId,
    dialect: parsed.request.dialect.name,
    model: model.id,
    priceVersionId: model.priceVersionId,
    outcome,
    charge,
    writeOff: cost - charge,
    fees,
    usage,
    shortenedToTokens: quote.shortened ? quote.cap : null,
    streamed: parsed.request.text?.stream === true,
    admittedAtMs: admission.atMs,
    durationMs: settlingMs - startedMs,
    firstEventMs,
    attempts,
    clientRequestId,
    idempotencyKey: claim?.idempotencyKey ?? null,
    isWhole: ending.isWhole,
    ...(extras && { extras }),
  };
  const ended = { receipt, model, code: ending.code ?? null };
  trace.settling(ended);
  if (receipt.streamed && ending.isWhole && ending.lastBytes !== undefined)
    content?.answered(ending.lastBytes(settled).toString('latin1'));
  content?.ended(ended, parsed.received);
  try {
    await hold.close(receipt, ending.isWhole && claim !== null ? claim.answer : null);
  } catch (fault) {
    trace.settled(false);
    gate.observer.settlementFailed(requestId, fault);
    throw fault;
  }
  trace.settled(true);
  const settlementMs = gate.clock.monotonicMs() - settlingMs;
  // Afterwards the caller's next request finds the response.
  if (ending.keeping) await ending.keeping;
  if (ending.isWhole) claim?.complete();
  gate.observer.ended(ended, settlementMs);
  return settled;
}

/** Total usage and cost, including billed answers that did not conform. */
function withRejectedAnswers(
  { usage, attempts }: RequestEnd,
  price: TierPrice,
  isTierEstimated: boolean,
): { usage: Usage; cost: NanoUsd } {
  let cost = costOf(price, usage.tokens);
  let all = usage;
  for (const { charged } of attempts) {
    if (charged === undefined) continue;
    all = sumUsage(all, charged);
    cost += costOf(price, charged.tokens);
  }
  // Rounded up once, unless only the sum reaches a higher price tier.
  const together = all === usage ? cost : costOf(price, all.tokens);
  const lower = together < cost ? together : cost;
  return { usage: isTierEstimated ? { ...all, certainty: 'estimated' } : all, cost: lower };
}

/** The tier at which all answers of a request are charged, and its price; an unused one has none. */
function servedTier({ usage, attempts, tier: answered = null }: RequestEnd, price: Price, { request }: ParsedRequest) {
  const isUnused = usage === NOTHING_USED && attempts.every(({ charged }) => charged === undefined);
  if (isUnused) return null;
  const { tier, isEstimated } = chargedTier(price, request.tier, answered);
  return { tier, isEstimated, price: priceIn(price, tier) ?? price };
}

/** All uses that the price or a provider may charge a fee for. A free request counts as no use. */
function usesOf({ usage, uses = NO_USES, requests = 1, attempts }: RequestEnd, { terms, routes }: Model): Uses {
  let isBilled = usage !== NOTHING_USED;
  let ofTools = uses;
  for (const { charged, chargedUses } of attempts) {
    if (charged === undefined) continue;
    isBilled = true;
    if (chargedUses) ofTools = sumUses(ofTools, chargedUses);
  }
  const hasFee =
    terms.price.fees?.request !== undefined || routes.some(({ cost }) => cost?.fees?.request !== undefined);
  if (!hasFee) return ofTools;
  return isBilled ? { request: requests, ...ofTools } : ofTools;
}

/** Closes the hold of a request that no route has answered. The caller doesn't wait for it; `code` is the error that it gets. */
export function settleFailed(request: AdmittedRequest, attempts: readonly AttemptRecord[], code?: RefusalCode): void {
  const ending = { outcome: 'failed', usage: NOTHING_USED, attempts, firstEventMs: null, isWhole: false } as const;
  settle(request, code === undefined ? ending : { ...ending, code }).catch(() => {
    // settle has informed the observer, and nothing was to be charged.
  });
}
