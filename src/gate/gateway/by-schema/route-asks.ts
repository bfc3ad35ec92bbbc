import type { CompletionRequest } from '../../dialects/dialect.ts';
import type { Model } from '../../../domain/model.ts';
import { assert } from '../../../lib/assert.ts';
import { canBeShown, ownToolsOf, type RejectedAnswer, shapeAsk } from '../../structured/ask.ts';
import type { UsableSchema } from '../../structured/schema-validation.ts';
import { type Capability, strategiesFor, type Strategy, takesAsSent } from '../../structured/strategy.ts';
import type { StrategyMemory } from '../../structured/strategy-memory.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import type { AskBudget } from './ask-budget.ts';
import type { AttemptCandidate } from '../attempts/attempt.ts';
import { type ChatSent, preparedChatFor, type SentRequest } from '../sent-request.ts';

/** One request to a route. */
export interface Ask {
  readonly strategy: Strategy;
  readonly sent: SentRequest;
}

/** An answer that didn't conform, and its upstream's count of the request's input; null if it reported none. */
export interface RejectedResponse extends RejectedAnswer {
  readonly inputTokens: number | null;
}

/** The request, its model and its schema. */
interface SchemaRequest {
  readonly completion: CompletionRequest;
  readonly model: Model;
  readonly schema: UsableSchema;
}

/** The earlier ask that the next one is based on. */
interface FormerAsk {
  readonly response: RejectedResponse;
  /** The size of its body; null if it was no chat request. */
  readonly bodyBytes: number | null;
}

/**
 * The asks of one route for an answer by a schema: by the strongest strategy that it accepts, with the failures of its
 * last answer. A route that speaks the caller's dialect is first sent the request unchanged, once, and then chat
 * requests; if no chat request can express it, the unchanged request again.
 */
export class RouteAsks {
  readonly candidate: AttemptCandidate;
  readonly #request: SchemaRequest;
  readonly #memory: StrategyMemory;
  readonly #turnedDown: Strategy[] = [];
  #strategies: readonly Strategy[] = [];
  #at = 0;
  /** Null until it is needed, and if there is no chat form. */
  #chat: ChatSent | null = null;
  #former: FormerAsk | null = null;
  /** Whether the answer to the unchanged request was no JSON, so that the route seems not to enforce the schema. */
  #isDoubtful = false;

  private constructor(candidate: AttemptCandidate, request: SchemaRequest, memory: StrategyMemory) {
    this.candidate = candidate;
    this.#request = request;
    this.#memory = memory;
  }

  /** The asks of a route that can be sent the request. */
  static async of(candidate: AttemptCandidate, request: SchemaRequest, memory: StrategyMemory): Promise<RouteAsks> {
    const asks = new RouteAsks(candidate, request, memory);
    await asks.#begin();
    return asks;
  }

  /** The next request: with the earlier failures if the hold covers them, else without; null if it covers neither. */
  next(budget: AskBudget, isFirst: boolean): Ask | null {
    const strategy = this.#strategy;
    // A translated request has no tools of its provider.
    const hasTools = strategy === 'passthrough' || (this.#request.completion.tools?.usesOfAnswer ?? null) !== null;
    const isCovered = (): boolean => isFirst || budget.coversAgain(hasTools);
    const { response, bodyBytes } = this.#former ?? { response: null, bodyBytes: null };
    const inputTokens = response?.inputTokens ?? null;
    if (strategy === 'passthrough') {
      const isCoveredByCount = inputTokens !== null && budget.coversLonger({ inputTokens, bodyBytes: 0 }, 0);
      return isCoveredByCount || isCovered() ? { strategy, sent: this.candidate.sent } : null;
    }
    const sent = this.#chat;
    assert(sent !== null, 'a route is asked in chat once the chat request is made');
    const { schema } = this.#request;
    const wish = { chat: sent.chat, schema };
    const { provider } = this.#capability;
    const askWith = (rejected: RejectedAnswer | null): Ask => ({
      strategy,
      sent: { ...sent, chat: shapeAsk(wish, strategy, provider, rejected) },
    });
    if (response !== null && inputTokens !== null && canBeShown(response)) {
      const longer = askWith(response);
      const counted = { inputTokens, bodyBytes: bodyBytes ?? sent.chat.body.length };
      if (budget.coversLonger(counted, bodyOf(longer) ?? 0, hasTools)) return longer;
    }
    return isCovered() ? askWith(null) : null;
  }

  /** Whether a route that failed with this fault may accept the request in another form, which is next. */
  async goesOnAfter(fault: UpstreamFault): Promise<boolean> {
    if (fault.kind !== 'rejected_request') return false;
    // The text added to the caller's may have made it too long.
    if (this.#former !== null && this.#strategy !== 'passthrough') {
      this.#former = null;
      return true;
    }
    return this.#weaken(true);
  }

  /** Prepares the next ask after a non-conforming answer. */
  async reject(response: RejectedResponse, { sent }: Ask): Promise<void> {
    this.#former = { response, bodyBytes: bodyOf({ sent }) };
    // An upstream that returns invalid JSON doesn't enforce the schema.
    const isEnforced = response.failures[0]?.keyword !== 'json';
    if (this.#strategy === 'passthrough') {
      if (await this.#weaken(false)) this.#isDoubtful = !isEnforced;
    } else if (!isEnforced) await this.#weaken(true);
  }

  /** Records that the route has rejected the stronger strategies and served by a weaker one. */
  serve(): void {
    const { route } = this.candidate;
    const { schema } = this.#request;
    if (this.#turnedDown.length > 0) this.#memory.turnedDown(route, this.#turnedDown, schema.id);
    if (this.#isDoubtful) this.#memory.doubt(route, schema.id);
  }

  get #strategy(): Strategy {
    return this.#strategies[this.#at] ?? 'instruction';
  }

  get #capability(): Capability {
    const { structuredSupport: support, schemaProvider: provider = null } = this.candidate.upstream;
    return { support, provider };
  }

  async #begin(): Promise<void> {
    const sent = this.candidate.sent;
    const { schema } = this.#request;
    if (sent.isChat) this.#chat = sent;
    const passes = !sent.isChat && takesAsSent(this.#capability, schema.forms);
    if (!passes && !(await this.#makeChat())) return;
    const tools = this.#chat === null ? 'none' : ownToolsOf(this.#chat.chat);
    const inChat = strategiesFor(this.#capability, schema.forms, tools);
    this.#strategies = passes ? ['passthrough', ...inChat] : inChat;
    this.#at = this.#memory.firstOf(this.candidate.route, this.#strategies, schema.id);
    if (this.#at > 0) await this.#makeChat();
  }

  /** Moves on to the next strategy, and records that the route `turnedDown` this one; false if there is none. */
  async #weaken(turnedDown: boolean): Promise<boolean> {
    const strategy = this.#strategy;
    if (this.#at + 1 >= this.#strategies.length || !(await this.#makeChat())) return false;
    if (turnedDown) this.#turnedDown.push(strategy);
    this.#at++;
    return true;
  }

  /** Makes the chat request once; false if there is no chat form, so that the request can only be sent unchanged. */
  async #makeChat(): Promise<boolean> {
    if (this.#chat !== null) return true;
    const { completion, model } = this.#request;
    const prepared = await preparedChatFor(this.candidate.upstream, model, completion);
    if ('message' in prepared) {
      this.#strategies = ['passthrough'];
      this.#at = 0;
      return false;
    }
    this.#chat = prepared;
    return true;
  }
}

function bodyOf({ sent }: Pick<Ask, 'sent'>): number | null {
  return sent.isChat ? sent.chat.body.length : null;
}
