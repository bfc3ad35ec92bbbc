import { randomUUID } from 'node:crypto';
import type { Model, ModelTerms, Route } from '../../src/domain/model.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { Refusal } from '../../src/domain/refusals.ts';
import type { Caller, ReplyHeaders } from '../../src/gate/gateway/caller.ts';
import { Deadlines } from '../../src/gate/gateway/attempts/deadlines.ts';
import type { GatewayDeps } from '../../src/gate/gateway/gateway-deps.ts';
import type { AttemptFault } from '../../src/gate/gateway/observer.ts';
import { NO_CONTENT } from '../../src/gate/gateway/content-recorder.ts';
import { NO_TRACES } from '../../src/gate/gateway/request-trace.ts';
import { type Failure, RecentFailures } from '../../src/gate/gateway/recent-failures.ts';
import type { CompletionEndpoint, NativeEdit } from '../../src/gate/dialects/dialect.ts';
import type { Dialect } from '../../src/domain/receipt.ts';
import { Pulse } from '../../src/gate/gateway/answers/pulse.ts';
import { serveCompletion } from '../../src/gate/gateway/serve-completion.ts';
import type { ReceiptDraft } from '../../src/gate/purses/leases/hold.ts';
import { Permit } from '../../src/gate/purses/permits/permit.ts';
import type { PermitOutcome } from '../../src/gate/purses/permits/rate-limiter.ts';
import { readAnswer } from '../../src/gate/openai/chat-answer.ts';
import { Health } from '../../src/gate/upstreams/health/health.ts';
import type {
  AnswerSink,
  RunningAttempt,
  SendNative,
  Upstream,
  UsageSoFar,
} from '../../src/gate/upstreams/upstream.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryClaims } from './memory-claims.ts';

// The request path without sockets, processes or a database: each of its neighbours does what a test says.

const ROUTING = { windowMs: 10_000, resultsMin: 1_000, failureRatio: 1, restMs: 300, refusedKeyMs: 0 };
export const TIMES = { plainMs: 10_000, streamMs: 20_000, firstEventMs: 5_000, usageMs: 1_000, finishMs: 500 };
const NO_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
/** Whose requests they are. */
export const PRINCIPAL: Principal = {
  workspaceId: randomUUID(),
  projectId: randomUUID(),
  keyId: randomUUID(),
  policies: [],
  expiresAtMs: null,
  rateLimits: NO_LIMITS,
  budgetPeriod: 'month',
  memberLimitId: null,
  servedLimits: null,
  served: null,
  reportsCost: false,
  isAllowedFrom: null,
  suspension: null,
};
const RATES = {
  input: 1_000_000n,
  cached_input: 1_000_000n,
  cache_write_5m: 1_000_000n,
  cache_write_1h: 1_000_000n,
  audio_input: 1_000_000n,
  output: 10_000_000n,
  audio_output: 10_000_000n,
};
/** A token of input costs 1 nano-USD, one of output 10. */
const MODEL: Model = {
  id: 'chat',
  terms: {
    kind: 'chat',
    price: { rates: RATES, tiers: [] },
    contextWindow: 100_000,
    maxOutput: 1_000,
    media: { imageTokens: null, audioTokens: null, fileTokens: null },
  },
  priceVersionId: 1n,
  priceVersion: 1,
  routes: [{ provider: 'p', upstreamModel: 'm' }],
  reasoning: false,
  createdAtMs: 0,
};

/** The body of a plain answer with this usage. */
export function plainAnswer(content = 'hi', usage = { prompt_tokens: 3, completion_tokens: 2 }): Buffer {
  return Buffer.from(JSON.stringify({ choices: [{ message: { content } }], usage }));
}

/** What a request says in headers. */
interface StageHeaders {
  readonly maxCost?: string;
  readonly reportCost?: string;
  readonly idempotencyKey?: string;
  readonly session?: string | null;
}

/** A caller that keeps all it gets. */
export class StageCaller implements Caller {
  readonly requestId = randomUUID();
  readonly method = 'POST';
  readonly target = '/v1/chat/completions';
  readonly authorization = 'Bearer fg_live_key';
  readonly principal = null;
  readonly apiKey = undefined;
  readonly peerAddress = '192.0.2.1';
  readonly forwardedFor = undefined;
  readonly anthropicVersion = undefined;
  readonly anthropicBeta = undefined;
  readonly contentType = 'application/json';
  readonly contentEncoding = undefined;
  readonly clientRequestId = null;
  readonly traceParent: string | undefined = undefined;
  readonly traceState: string | undefined = undefined;
  readonly session: string | null;
  readonly bodyBytesMax = 1_000_000;
  readonly maxCost: string | undefined;
  readonly reportCost: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly forwardedBy = undefined;
  readonly #body: Buffer;
  readonly #onGone: (() => void)[] = [];
  readonly #onHalfClosed: (() => void)[] = [];
  readonly #onDrain: (() => void)[] = [];
  isGone = false;
  isHalfClosed = false;
  /** Whether it reads so slowly that what is written waits. */
  isSlow = false;
  hasStarted = false;
  /** Whether nothing more follows. */
  isOver = false;
  refusal: Refusal | null = null;
  headers: ReplyHeaders = [];
  text = '';

  constructor(fields: object, { maxCost, reportCost, idempotencyKey, session = null }: StageHeaders = {}) {
    this.session = session;
    this.maxCost = maxCost;
    this.reportCost = reportCost;
    this.idempotencyKey = idempotencyKey;
    this.#body = Buffer.from(JSON.stringify(fields));
  }

  reserve(): boolean {
    return true;
  }

  get bodyBytes(): number {
    return this.#body.length;
  }

  /** The bytes of its request that may be input. */
  get textBytes(): number {
    return this.#body.length;
  }

  /** The caller leaves before its answer is whole. */
  leave(): void {
    this.isGone = true;
    for (const callback of this.#onGone.splice(0)) callback();
  }

  onGone(callback: () => void): void {
    if (this.isGone) callback();
    else this.#onGone.push(callback);
  }

  /** The caller closes its side of the connection, and may be there or not. */
  halfClose(): void {
    this.isHalfClosed = true;
    for (const callback of this.#onHalfClosed.splice(0)) callback();
  }

  onHalfClosed(callback: () => void): void {
    if (this.isHalfClosed) callback();
    else this.#onHalfClosed.push(callback);
  }

  readBody(): Buffer {
    return this.#body;
  }

  answerIn(): void {
    // It shows refusals as they are.
  }

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
    this.isOver = true;
  }

  answer(body: Buffer, headers: ReplyHeaders): void {
    this.headers = headers;
    this.text = body.toString();
    this.isOver = true;
  }

  startStream(headers: ReplyHeaders): void {
    if (this.hasStarted) throw new Error('a stream starts once');
    this.hasStarted = true;
    this.headers = headers;
  }

  startRelayed(): never {
    throw new Error('no test of a stage forwards a request');
  }

  destroy(): void {
    this.isOver = true;
  }

  write(text: string): boolean {
    this.text += text;
    return !this.isSlow;
  }

  /** A slow caller has read all that waited. */
  drain(): void {
    this.isSlow = false;
    for (const callback of this.#onDrain) callback();
  }

  onDrain(callback: () => void): void {
    this.#onDrain.push(callback);
  }

  end(): void {
    this.isOver = true;
  }
}

interface StageSettings extends Partial<Omit<Model, 'terms'>> {
  readonly kind?: ModelTerms['kind'];
  readonly terms?: Partial<ModelTerms>;
  readonly drains?: boolean;
  /** What single providers are beside what all are. */
  readonly upstreams?: Readonly<Record<string, Partial<Upstream>>>;
  /** Parts of the path in the place of the stage's own, or beside them. */
  readonly parts?: Partial<GatewayDeps>;
}

/** A request as an upstream is sent it: its body, unless that is in a dialect of its own. */
interface SentBody {
  readonly body?: Buffer | ((edit: NativeEdit) => readonly Buffer[]);
  readonly stream?: boolean;
}

/** A receipt as its request closed the hold with it, and the answer that repeats get. */
export interface ClosedHold extends ReceiptDraft {
  readonly answer: Buffer | null;
}

export class GateStage {
  readonly clock = new ManualClock();
  readonly claims = new MemoryClaims();
  readonly closed: ClosedHold[] = [];
  readonly faults: unknown[] = [];
  /** Why attempts failed, in that order. */
  readonly attemptFaults: AttemptFault['kind'][] = [];
  /** What the log says of it. */
  readonly attemptMessages: string[] = [];
  /** How the requests had failed that others have repeated. */
  readonly retries: Failure[] = [];
  readonly model: Model;
  /** Permits and holds that are neither given back nor closed. */
  readonly open = { permits: 0, holds: 0 };
  /** What was held for each request. */
  readonly holds: bigint[] = [];
  /** What each request was quoted, and what became of that: tokens given back, or used. */
  readonly permits: { quoted: number; ended: { back: number } | { used: number } | null }[] = [];
  /** Attempts under way, in the order in which they began, and whether each is paused, and was cut off. */
  readonly attempts: { readonly sink: AnswerSink; readonly sent: SentBody; isPaused: boolean; isAborted: boolean }[] =
    [];
  /** What upstreams have reported outside of events. */
  usageSoFar: UsageSoFar | null = null;
  epochId = 1n;
  takePermit: () => PermitOutcome | Promise<PermitOutcome> | null = () => null;
  placeHold: () => void | Promise<void> = () => undefined;
  settle: () => Promise<void> = () => Promise.resolve();
  /** What an attempt does once it has begun; it answers in full unless told otherwise. */
  attempt: (sink: AnswerSink, isStream: boolean) => void = (sink, isStream) => {
    const body = plainAnswer();
    if (!isStream) return sink.answer(body, readAnswer(body));
    sink.event(Buffer.from('{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}'));
    sink.end(true);
  };
  /** The parts of the path, of which a test may replace some in a copy. */
  readonly gate: GatewayDeps;

  /** `drains`: whether abandoned streams of the provider are read to their end. */
  constructor({ kind = 'chat', terms = {}, drains = false, upstreams = {}, parts = {}, ...model }: StageSettings = {}) {
    this.model = { ...MODEL, ...model, terms: { ...MODEL.terms, ...terms, kind } };
    this.gate = { ...this.#makeGate(drains, upstreams), ...parts };
  }

  /** Sends a request through the gate; `done` resolves once its path has come to its end. */
  send(fields: object = {}, headers: StageHeaders = {}, dialect: CompletionEndpoint = 'chat') {
    const { kind } = this.model.terms;
    const body = kind === 'chat' ? { messages: [{ role: 'user', content: 'hello' }] } : {};
    const caller = new StageCaller({ model: this.model.id, ...body, ...fields }, headers);
    const path = serveCompletion(this.gate, caller, kind === 'chat' ? dialect : 'embeddings').catch(
      (fault: unknown) => void this.faults.push(fault),
    );
    return { caller, done: this.#settled(path) };
  }

  async #settled(path: Promise<void>): Promise<void> {
    await path;
    // What is released at its end is released by then, too.
    await this.clock.advance(0);
  }

  /** How a native upstream is sent a request: as any other is. */
  readonly sendNative: SendNative = ({ request }, sink) => this.#attempt(request, sink);

  #makeGate(drains: boolean, upstreams: Readonly<Record<string, Partial<Upstream>>>): GatewayDeps {
    const { clock, model } = this;
    const health = new Health(ROUTING, { routeRests: () => undefined, routeIsBack: () => undefined });
    health.configure(ROUTING, [{ name: 'p', kind: 'openai', concurrencyMax: null, drains }]);
    const run = ({ request }: { request: SentBody }, sink: AnswerSink) => this.#attempt(request, sink);
    const upstream = { needsCap: false, chatExtras: ['web_search_options'], chat: run, natives: { embeddings: run } };
    const gate = {
      principals: { find: () => PRINCIPAL },
      catalogue: { find: (id: string) => (id === model.id ? model : undefined), list: () => [model] },
      idempotency: this.claims,
      permits: { take: (_principal: Principal, tokens: number) => this.takePermit() ?? this.#permit(tokens) },
      purses: this.#purses(),
      upstreams: { of: ({ provider }: Route) => ({ ...upstream, ...upstreams[provider] }) },
      health,
      clock,
      observer: {
        refused: () => undefined,
        retried: (_dialect: Dialect, how: Failure) => void this.retries.push(how),
        ended: () => undefined,
        attemptFailed: (_requestId: string, _provider: string, { kind, message }: AttemptFault) => {
          this.attemptFaults.push(kind);
          this.attemptMessages.push(message);
        },
        settlementFailed: () => undefined,
        failed: (_requestId: string, fault: unknown) => void this.faults.push(fault),
      },
      tracer: NO_TRACES,
      content: NO_CONTENT,
      failures: new RecentFailures(clock),
      pulse: new Pulse(clock, 15_000),
      deadlines: new Deadlines(clock, 50),
      random: Math.random,
      timeouts: TIMES,
    };
    return gate as unknown as GatewayDeps;
  }

  #permit(quoted: number): Permit {
    const record: (typeof this.permits)[number] = { quoted, ended: null };
    this.permits.push(record);
    this.open.permits += 1;
    const end = (ended: NonNullable<typeof record.ended>): void => {
      record.ended = ended;
      this.open.permits -= 1;
    };
    const source = {
      takeBack: (back: number) => end({ back }),
      correct: (_quoted: number, used: number) => end({ used }),
      standing: () => ({ requests: null, tokens: null }),
    };
    return new Permit(source, quoted, true);
  }

  #purses() {
    const place = (amount: bigint) => {
      this.open.holds += 1;
      this.holds.push(amount);
      const hold = {
        amount,
        isClosed: false,
        close: (draft: ReceiptDraft, answer: Buffer | null) => {
          hold.isClosed = true;
          return this.#close(draft, answer);
        },
      };
      return hold;
    };
    const epochIdOf = (): bigint => this.epochId;
    return {
      get epochId() {
        return epochIdOf();
      },
      available: () => null,
      acquaint: async () => null,
      tryHold: (_principal: Principal, amount: bigint) => {
        const placing = this.placeHold();
        return placing === undefined ? place(amount) : null;
      },
      drawHold: async () => null,
      hold: async () => {
        await this.placeHold();
        return { kind: 'unavailable' };
      },
    };
  }

  async #close(draft: ReceiptDraft, answer: Buffer | null): Promise<void> {
    this.open.holds -= 1;
    this.closed.push({ ...draft, answer });
    await this.settle();
    if (draft.idempotencyKey !== null && draft.isWhole)
      this.claims.complete(draft.idempotencyKey, draft.requestId, answer, draft.charge);
  }

  #attempt(sent: SentBody, sink: AnswerSink): RunningAttempt {
    const record = { sink, sent, isPaused: false, isAborted: false };
    this.attempts.push(record);
    setImmediate(() => this.attempt(sink, sent.stream === true));
    return {
      pause: () => {
        record.isPaused = true;
      },
      resume: () => {
        record.isPaused = false;
      },
      abort: () => {
        record.isAborted = true;
      },
      usageSoFar: () => this.usageSoFar,
    };
  }
}
