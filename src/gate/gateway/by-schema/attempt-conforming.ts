import { costOf, feesOf, type Price } from '../../../domain/price.ts';
import type { AttemptRecord } from '../../../domain/receipt.ts';
import { refuse } from '../../../domain/refusals.ts';
import { chargedTier, priceIn, quotedTerms } from '../../../domain/tier-price.ts';
import { inputTokens } from '../../../domain/usage.ts';
import { NO_USES } from '../../../domain/uses.ts';
import { formatUsd, type NanoUsd } from '../../../domain/money.ts';
import type { CompletionRequest } from '../../dialects/dialect.ts';
import type { RejectedAnswer } from '../../structured/ask.ts';
import type { Judgement } from '../../structured/conformance.ts';
import { reviewAnswer, reviewAsItIs, type Review } from '../../structured/review.ts';
import type { UsableSchema } from '../../structured/schema-validation.ts';
import type { Strategy } from '../../structured/strategy.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import { AskBudget } from './ask-budget.ts';
import type { AttemptStart, AttemptCandidate } from '../attempts/attempt.ts';
import type { RoutesResult } from '../attempts/attempt-routes.ts';
import { unansweredRefusal } from '../attempts/fault-refusal.ts';
import type { AttemptFault } from '../observer.ts';
import type { AdmittedRequest } from '../request.ts';
import { type Ask, RouteAsks } from './route-asks.ts';
import { usageOf } from '../settle.ts';
import {
  type AttemptListener,
  isFinalFault,
  isUnsayable,
  RouteAttempts,
  tellingFault,
} from '../attempts/route-attempts.ts';
import { readWholeAnswer, type WholeAnswer } from './whole-answer.ts';

/** The most answers requested from one route, and from all routes. */
const ANSWERS_PER_ROUTE = 3;
const ANSWERS_MAX = 5;

/**
 * Tries the model's routes until an answer conforms to the caller's schema. Each route is tried with the strongest
 * strategy that it accepts, and again with the failures of the last answer, as long as the limit of answers, the time
 * and the hold allow.
 */
export function attemptConforming(
  request: AdmittedRequest,
  completion: CompletionRequest,
  schema: UsableSchema,
  onAttempt?: AttemptListener,
): Promise<RoutesResult> {
  return new ConformingAttempts(request, completion, schema, onAttempt).run();
}

/** The final result: an answer to pass on, or a caller that has left. */
type Result = Exclude<AttemptStart, { kind: 'fault' }>;

class ConformingAttempts {
  readonly #request: AdmittedRequest;
  readonly #completion: CompletionRequest;
  readonly #schema: UsableSchema;
  readonly #attempts: RouteAttempts;
  readonly #budget: AskBudget;
  /** The charge of answers that don't conform, unless the last one names another tier. */
  #charged: NanoUsd = 0n;
  #answers = 0;
  #last: RejectedAnswer | null = null;
  #fault: UpstreamFault | null = null;
  /** Set when nothing more is tried: time or hold are used up, or the request or its schema is at fault. */
  #isOver = false;

  constructor(
    request: AdmittedRequest,
    completion: CompletionRequest,
    schema: UsableSchema,
    onAttempt?: AttemptListener,
  ) {
    this.#request = request;
    this.#completion = completion;
    this.#schema = schema;
    this.#attempts = new RouteAttempts(request, onAttempt);
    this.#budget = new AskBudget(request.admission, completion);
  }

  async run(): Promise<RoutesResult> {
    const { attempts } = this.#attempts;
    for (const route of this.#attempts.routes()) {
      const tried = await this.#attempts.candidate(route);
      if (tried === null) continue;
      const result = await this.#askRoute(await this.#asksOf(tried));
      if (result !== null) return { beginning: result, attempts, affinity: this.#attempts.affinity() };
      if (this.#isOver || this.#answers >= ANSWERS_MAX) break;
    }
    const isUnsaid = this.#last === null && isUnsayable(this.#fault);
    return { beginning: { kind: 'refused', refusal: this.#refusal(), isUnsayable: isUnsaid }, attempts };
  }

  #asksOf(tried: AttemptCandidate): Promise<RouteAsks> {
    const { gate, admission } = this.#request;
    const request = { completion: this.#completion, model: admission.model, schema: this.#schema };
    return RouteAsks.of(tried, request, gate.structured.strategies);
  }

  /** Tries one route until it gives a final answer; null if another request to it isn't worthwhile. */
  async #askRoute(asks: RouteAsks): Promise<Result | null> {
    const answersMax = Math.min(this.#answers + ANSWERS_PER_ROUTE, ANSWERS_MAX);
    while (this.#answers < answersMax && !this.#isOver) {
      const ask = asks.next(this.#budget, this.#answers === 0);
      if (ask === null) {
        this.#isOver = true;
        return null;
      }
      const { strategy, sent } = ask;
      const beginning = await this.#attempts.try({ ...asks.candidate, sent });
      if (beginning === null || beginning.kind === 'gone') return beginning;
      this.#amend({ strategy });
      if (beginning.kind === 'fault') {
        if (await asks.goesOnAfter(beginning.fault)) continue;
        this.#fault = tellingFault(this.#fault, beginning.fault);
        this.#isOver = isFinalFault(beginning.fault);
        return null;
      }
      const { provider } = asks.candidate.route;
      const answer = await readWholeAnswer(this.#request, beginning, { completion: this.#completion, provider });
      if (answer.fault !== null) return this.#breakOff(answer.fault);
      const result = await this.#review(asks, ask, answer);
      if (result !== null) return result;
    }
    return null;
  }

  /** Accepts an answer that conforms, or whose caller has left; otherwise records its failures. */
  async #review(asks: RouteAsks, ask: Ask, answer: WholeAnswer): Promise<Result | null> {
    const { caller, claim } = this.#request;
    this.#answers++;
    if (caller.isGone && claim === null) return answer.passOn(new Map());
    const review = await this.#reviewOf(answer, ask.strategy);
    if (review.conforms) {
      asks.serve();
      return answer.passOn(review.contents);
    }
    const { text, failures } = review;
    const places = failures.map(({ pointer, keyword }) => `${pointer === '' ? '/' : pointer}: ${keyword}`);
    this.#record({ kind: 'not_conforming', message: places.join(', ') });
    await this.#charge(answer);
    this.#last = { text, failures };
    await asks.reject({ text, failures, inputTokens: answer.usage === null ? null : inputTokens(answer.usage) }, ask);
    // If validation takes too long or fails, another answer won't help.
    this.#isOver = ['deadline', 'not_judged'].includes(failures[0]?.keyword ?? '');
    return null;
  }

  #reviewOf({ choices }: WholeAnswer, strategy: Strategy): Promise<Review> {
    const { gate, admission } = this.#request;
    const judge = (text: string): Promise<Judgement> =>
      gate.structured.validation.judge(admission.principal.workspaceId, this.#schema, text);
    return strategy === 'passthrough' ? reviewAsItIs(choices, judge) : reviewAnswer(choices, strategy, judge);
  }

  /** A non-conforming answer is free while its project's free amount lasts. */
  async #charge(answer: WholeAnswer): Promise<void> {
    const { gate, admission } = this.#request;
    const usage = usageOf(this.#request, answer.usage, answer);
    const { uses } = answer;
    const { terms } = admission.model;
    const { tier } = this.#completion;
    const costAt = (price: Price): bigint => costOf(price, usage.tokens) + feesOf(price, uses);
    const cost = costAt(priceIn(terms.price, chargedTier(terms.price, tier, null).tier) ?? terms.price);
    if (cost === 0n || (await gate.structured.freeAnswers.take(admission.principal, cost))) return;
    this.#charged += cost;
    // The tier of the last answer decides about the charge of all.
    this.#budget.spend(costAt(quotedTerms(terms, tier).price));
    this.#amend({ charged: usage, ...(uses !== NO_USES && { chargedUses: uses }) });
  }

  #breakOff(fault: UpstreamFault): null {
    this.#record(fault);
    this.#fault = fault;
    this.#isOver = isFinalFault(fault);
    return null;
  }

  /** Records the result of the latest attempt on the receipt, and its reason in the log. */
  #record(fault: AttemptFault): void {
    const { gate, caller } = this.#request;
    const record = this.#amend({ fault: fault.kind });
    gate.observer.attemptFailed(caller.requestId, record?.provider ?? '', fault);
  }

  #amend(more: Partial<AttemptRecord>): AttemptRecord | undefined {
    const { attempts } = this.#attempts;
    const record = attempts.pop();
    if (record !== undefined) attempts.push({ ...record, ...more });
    return record;
  }

  /** The body's field that contains the schema. */
  get #field(): string {
    return (this.#completion.text?.schemaSpan?.param ?? '').replace(/(\.json_schema)?\.schema$/, '');
  }

  #refusal() {
    const { admission } = this.#request;
    const { id } = admission.model;
    if (this.#last === null) {
      const { attempts } = this.#attempts;
      return unansweredRefusal(admission, { attempts, fault: this.#fault, retryAfterMs: this.#attempts.soonestMs() });
    }
    const charged =
      this.#charged === 0n
        ? 'Nothing was charged.'
        : `${formatUsd(this.#charged)} USD were charged, because this hour's free amount is used up.`;
    const given =
      this.#answers === 1 ? 'an answer, which does not conform' : `${this.#answers} answers, none of which conforms`;
    const message = `"${id}" gave ${given} to the JSON schema of '${this.#field}'. ${charged}`;
    const output = { answers: this.#answers, failures: this.#last.failures };
    return refuse('OUTPUT_NOT_CONFORMING', message, { shouldRetry: false, output });
  }
}
