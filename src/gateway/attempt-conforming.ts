import { costOf, feesOf } from '../domain/price.ts';
import type { AttemptRecord } from '../domain/receipt.ts';
import { refuse } from '../domain/refusals.ts';
import { inputTokens } from '../domain/usage.ts';
import { NO_USES } from '../domain/uses.ts';
import { formatUsd } from '../domain/money.ts';
import type { CompletionRequest } from '../dialects/dialect.ts';
import { assert } from '../lib/assert.ts';
import type { ChatRequest } from '../openai/chat-request.ts';
import { canBeShown, ownToolsOf, type RejectedAnswer, shapeAsk } from '../structured/ask.ts';
import { reviewAnswer } from '../structured/review.ts';
import type { UsableSchema } from '../structured/schema-validation.ts';
import { type Capability, strategiesFor, type Strategy } from '../structured/strategy.ts';
import type { UpstreamFault } from '../upstreams/upstream.ts';
import { AskBudget, type CountedAsk } from './ask-budget.ts';
import type { AttemptStart, AttemptCandidate } from './attempt.ts';
import type { RoutesResult } from './attempt-routes.ts';
import { unansweredRefusal } from './fault-refusal.ts';
import type { AttemptFault } from './observer.ts';
import type { AdmittedRequest } from './request.ts';
import { usageOf } from './settle.ts';
import type { ChatSent } from './sent-request.ts';
import { isFinalFault, Tries, type TryListener } from './tries.ts';
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
  asked: CompletionRequest,
  schema: UsableSchema,
  onTry?: TryListener,
): Promise<RoutesResult> {
  return new ConformingTries(request, asked, schema, onTry).run();
}

/** The final result: an answer to pass on, or a caller that has left. */
type Result = Exclude<AttemptStart, { kind: 'fault' }>;

/** A non-conforming answer, and its upstream's count of the request's input; null if it reported none. */
interface RejectedResponse extends RejectedAnswer {
  readonly counted: CountedAsk | null;
}

/** Requests to one route: its strategies, the current one, and earlier failures. */
interface RouteRequests {
  readonly tried: AttemptCandidate;
  /** The caller's request as the route's upstream is sent it, before it is shaped. */
  readonly sent: ChatSent;
  readonly capability: Capability;
  readonly strategies: readonly Strategy[];
  at: number;
  rejected: RejectedResponse | null;
}

class ConformingTries {
  readonly #request: AdmittedRequest;
  readonly #asked: CompletionRequest;
  readonly #schema: UsableSchema;
  readonly #tries: Tries;
  readonly #budget: AskBudget;
  #answers = 0;
  #last: RejectedAnswer | null = null;
  #fault: UpstreamFault | null = null;
  /** Set when nothing more is to be tried: time or hold are used up, or the request or its schema is at fault. */
  #isOver = false;

  constructor(request: AdmittedRequest, asked: CompletionRequest, schema: UsableSchema, onTry?: TryListener) {
    this.#request = request;
    this.#asked = asked;
    this.#schema = schema;
    this.#tries = new Tries(request, onTry);
    this.#budget = new AskBudget(request.admission);
  }

  async run(): Promise<RoutesResult> {
    const { attempts } = this.#tries;
    for (const next of this.#tries.routes()) {
      const tried = next instanceof Promise ? await next : next;
      if (tried === null) continue;
      const result = await this.#askRoute(this.#asking(tried));
      if (result !== null) return { beginning: result, attempts };
      if (this.#isOver || this.#answers >= ANSWERS_MAX) break;
    }
    return { beginning: { kind: 'refused', refusal: this.#refusal() }, attempts };
  }

  #asking(tried: AttemptCandidate): RouteRequests {
    const { upstream, route, sent } = tried;
    assert(sent?.isChat === true, 'a request with a schema is sent as chat');
    const capability = { support: upstream.structuredSupport, provider: upstream.schemaProvider ?? null };
    const tools = capability.support === 'tool' ? ownToolsOf(sent.chat) : 'none';
    const strategies = strategiesFor(capability, this.#schema.forms, tools);
    const at = this.#request.gate.structured.strategies.firstOf(route, strategies);
    return { tried, sent, capability, strategies, at, rejected: null };
  }

  /** Tries one route until it gives a final answer; null if it is not worth another request. */
  async #askRoute(asking: RouteRequests): Promise<Result | null> {
    const answersMax = Math.min(this.#answers + ANSWERS_PER_ROUTE, ANSWERS_MAX);
    while (this.#answers < answersMax && !this.#isOver) {
      const strategy = asking.strategies[asking.at] ?? 'instruction';
      const ask = this.#nextAsk(asking, strategy);
      if (ask === null) return null;
      const beginning = await this.#tries.try({ ...asking.tried, sent: { ...asking.sent, chat: ask } });
      if (beginning === null || beginning.kind === 'gone') return beginning;
      this.#amend({ strategy });
      if (beginning.kind === 'fault') {
        if (this.#canAskOtherwise(asking, beginning.fault)) continue;
        this.#fault = beginning.fault;
        this.#isOver = isFinalFault(beginning.fault);
        return null;
      }
      const { provider } = asking.tried.route;
      const answer = await readWholeAnswer(this.#request, beginning, { provider, choices: this.#asked.choices });
      if (answer.fault !== null) return this.#breakOff(answer.fault);
      const result = await this.#review(asking, strategy, answer, ask);
      if (result !== null) return result;
    }
    return null;
  }

  /** The next request: with the earlier failures if the hold covers that, else without; null if it covers neither. */
  #nextAsk({ sent, capability: { provider }, rejected }: RouteRequests, strategy: Strategy): ChatRequest | null {
    const wish = { chat: sent.chat, schema: this.#schema };
    if (rejected !== null && rejected.counted !== null && canBeShown(rejected)) {
      const longer = shapeAsk(wish, strategy, provider, rejected);
      if (this.#budget.coversLonger(rejected.counted, longer.body.length)) return longer;
    }
    if (this.#answers === 0 || this.#budget.coversAgain()) return shapeAsk(wish, strategy, provider, null);
    this.#isOver = true;
    return null;
  }

  /** Whether a rejected request may be accepted in another form. */
  #canAskOtherwise(asking: RouteRequests, fault: UpstreamFault): boolean {
    if (fault.kind !== 'rejected_request') return false;
    // The text added to the caller's may have made it too long.
    if (asking.rejected !== null) asking.rejected = null;
    else if (asking.at + 1 < asking.strategies.length) asking.at++;
    else return false;
    return true;
  }

  /** Accepts an answer that conforms, or whose caller has left; otherwise records its failures. */
  async #review(
    asking: RouteRequests,
    strategy: Strategy,
    answer: WholeAnswer,
    ask: ChatRequest,
  ): Promise<Result | null> {
    const { gate, caller, claim, admission } = this.#request;
    const { validation, strategies } = gate.structured;
    this.#answers++;
    if (caller.isGone && claim === null) return answer.passOn(new Map());
    const { choices } = answer;
    const review = await reviewAnswer(choices, strategy, (text) =>
      validation.judge(admission.principal.workspaceId, this.#schema, text),
    );
    if (review.conforms) {
      const turnedDown = asking.strategies.slice(0, asking.at);
      if (turnedDown.length > 0) strategies.turnedDown(asking.tried.route, turnedDown);
      return answer.passOn(review.contents);
    }
    const { text, failures } = review;
    const places = failures.map(({ pointer, keyword }) => `${pointer === '' ? '/' : pointer}: ${keyword}`);
    this.#record({ kind: 'not_conforming', message: places.join(', ') });
    await this.#charge(answer);
    const counted =
      answer.usage === null ? null : { inputTokens: inputTokens(answer.usage), bodyBytes: ask.body.length };
    this.#last = { text, failures };
    asking.rejected = { text, failures, counted };
    // If validation takes too long or fails, another answer won't help.
    this.#isOver = ['deadline', 'not_judged'].includes(failures[0]?.keyword ?? '');
    // An upstream that returns invalid JSON doesn't enforce the schema.
    const isHeld = failures[0]?.keyword !== 'json';
    if (!isHeld && asking.at + 1 < asking.strategies.length) asking.at++;
    return null;
  }

  /** A non-conforming answer is free while its project's free amount lasts. */
  async #charge(answer: WholeAnswer): Promise<void> {
    const { gate, admission } = this.#request;
    const usage = usageOf(this.#request, answer.usage, answer);
    const { price } = admission.model.terms;
    const cost = costOf(price, usage.tokens) + feesOf(price, this.#asked.usesOfAnswer ?? NO_USES);
    if (cost === 0n || (await gate.structured.freeAnswers.take(admission.principal, cost))) return;
    this.#budget.spend(cost);
    this.#amend({ charged: usage });
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
    const { attempts } = this.#tries;
    const record = attempts.pop();
    if (record !== undefined) attempts.push({ ...record, ...more });
    return record;
  }

  /** The body's field that holds the schema. */
  get #field(): string {
    return this.#asked.schemaSpan?.param.split('.', 1)[0] ?? '';
  }

  #refusal() {
    const { admission } = this.#request;
    const { id } = admission.model;
    if (this.#last === null) {
      const { attempts } = this.#tries;
      return unansweredRefusal(admission, { attempts, fault: this.#fault, retryAfterMs: this.#tries.soonestMs() });
    }
    const { spent } = this.#budget;
    const charged =
      spent === 0n
        ? 'Nothing was charged.'
        : `${formatUsd(spent)} USD were charged, because this hour's free amount is used up.`;
    const message = `"${id}" gave ${this.#answers} answers, none of which conforms to the JSON schema of '${this.#field}'. ${charged}`;
    const output = { answers: this.#answers, failures: this.#last.failures };
    return refuse('OUTPUT_NOT_CONFORMING', message, { shouldRetry: false, output });
  }
}
