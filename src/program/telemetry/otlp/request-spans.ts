import {
  type Attributes,
  context as contexts,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  type Tracer,
} from '@opentelemetry/api';
import type { Route } from '../../../domain/model.ts';
import { formatUsd } from '../../../domain/money.ts';
import type { Dialect } from '../../../domain/receipt.ts';
import { type RefusalCode, REFUSALS } from '../../../domain/refusals.ts';
import type { RefusedRequest } from '../../../domain/refused-request.ts';
import { inputTokens, outputTokens } from '../../../domain/usage.ts';
import type { EndedRequest } from '../../../gate/gateway/observer.ts';
import type { AttemptTrace, RequestTrace } from '../../../gate/gateway/request-trace.ts';
import type { UpstreamFault } from '../../../gate/upstreams/upstream.ts';
import { MODEL_CHARACTERS_MAX } from '../request-log.ts';
import { traceHeaders } from '../trace-context.ts';
import { ADMISSION_SPAN, FAREGATE, GENERAL, GEN_AI, OPERATIONS, SETTLEMENT_SPAN } from './conventions.ts';
import { finishReasons } from './finish-reasons.ts';

/** A provider as spans name it. */
export interface TracedProvider {
  /** Its name in the conventions. */
  readonly system: string;
  readonly host: string | null;
  readonly port: number | null;
}

interface RequestSpansParts {
  readonly tracer: Tracer;
  readonly root: Span;
  readonly dialect: Dialect;
  readonly providerOf: (name: string) => TracedProvider | undefined;
}

/**
 * The spans of one request: itself, and below it its admission, each attempt and its settlement. They are ended together
 * once the request is served and settled, each with the time at which it was over, because what an attempt was worth is
 * known later than its end.
 */
export class RequestSpans implements RequestTrace {
  readonly #parts: RequestSpansParts;
  readonly #below: Context;
  readonly #attempts: AttemptSpan[] = [];
  #admission: Span | null = null;
  #settlement: Span | null = null;
  #isSettling = false;
  #endedMs: number | null = null;

  constructor(parts: RequestSpansParts) {
    this.#parts = parts;
    this.#below = spans.setSpan(contexts.active(), parts.root);
  }

  admitting(): void {
    this.#admission = this.#start(ADMISSION_SPAN);
  }

  admitted(): void {
    this.#admission?.end();
    this.#admission = null;
  }

  refused({ principal, model, refusal }: RefusedRequest): void {
    const { root } = this.#parts;
    if (principal !== null) root.setAttributes(identity(principal));
    if (model !== null) root.setAttribute(GEN_AI.requestModel, model.slice(0, MODEL_CHARACTERS_MAX));
    if (this.#admission !== null) {
      this.#admission.setAttribute(GENERAL.error, refusal.code);
      this.#admission.setStatus({ code: SpanStatusCode.ERROR });
      this.admitted();
    }
    this.#answeredWith(refusal.code);
  }

  attempt(route: Route): AttemptTrace {
    const provider = this.#parts.providerOf(route.provider);
    const attempt = new AttemptSpan(this.#startAttempt(route, provider));
    this.#attempts.push(attempt);
    return attempt;
  }

  finished(payload: Buffer): void {
    this.#attempts.at(-1)?.finished(finishReasons(payload));
  }

  settling(ended: EndedRequest): void {
    const { receipt, code } = ended;
    this.#isSettling = true;
    this.#settlement = this.#start(SETTLEMENT_SPAN);
    const { root } = this.#parts;
    const attributes = attributesOf(ended);
    root.setAttributes({
      ...identity(receipt),
      ...attributes,
      ...charges(ended),
      [GEN_AI.operation]: OPERATIONS[receipt.dialect],
      [GEN_AI.requestModel]: receipt.model,
    });
    const last = receipt.attempts.at(-1);
    if (last !== undefined) {
      root.setAttributes({ [FAREGATE.provider]: last.provider, [FAREGATE.upstreamModel]: last.upstreamModel });
      this.#attempts.at(-1)?.answered(attributes);
    }
    this.#settlement.setAttributes(charges(ended));
    // A stream that breaks off has begun with 200.
    if (receipt.outcome === 'interrupted') this.#answeredWith(code, 200);
    else this.#answeredWith(code);
  }

  settled(isDurable: boolean): void {
    if (!isDurable) this.#settlement?.setStatus({ code: SpanStatusCode.ERROR });
    this.#settlement?.end();
    this.#isSettling = false;
    this.#endTogether();
  }

  end(): void {
    this.#endedMs = Date.now();
    this.#endTogether();
  }

  #endTogether(): void {
    if (this.#endedMs === null || this.#isSettling) return;
    const { root } = this.#parts;
    this.admitted();
    for (const attempt of this.#attempts) root.setAttributes(attempt.end());
    root.end();
  }

  #answeredWith(code: RefusalCode | null, status: number = code === null ? 200 : REFUSALS[code].status): void {
    const { root } = this.#parts;
    root.setAttribute(GENERAL.status, status);
    if (code === null) return;
    root.setAttributes({ [FAREGATE.code]: code, [GENERAL.error]: code });
    if (REFUSALS[code].status >= 500) root.setStatus({ code: SpanStatusCode.ERROR });
  }

  #start(name: string): Span {
    return this.#parts.tracer.startSpan(name, { kind: SpanKind.INTERNAL }, this.#below);
  }

  #startAttempt({ provider: name, upstreamModel }: Route, provider: TracedProvider | undefined): Span {
    const operation = OPERATIONS[this.#parts.dialect];
    const attributes = {
      [GEN_AI.operation]: operation,
      [GEN_AI.provider]: provider?.system ?? name,
      [GEN_AI.requestModel]: upstreamModel,
      [FAREGATE.provider]: name,
      ...(typeof provider?.host === 'string' && { [GENERAL.host]: provider.host }),
      ...(typeof provider?.port === 'number' && { [GENERAL.port]: provider.port }),
    };
    const options = { kind: SpanKind.CLIENT, attributes };
    return this.#parts.tracer.startSpan(`${operation} ${upstreamModel}`, options, this.#below);
  }
}

/** The span of one attempt; it ends with its request's. */
class AttemptSpan implements AttemptTrace {
  readonly headers: readonly string[];
  readonly #span: Span;
  readonly #begunMs = performance.now();
  #overMs: number | null = null;
  #reasons: readonly string[] = [];
  #firstSeconds: number | null = null;

  constructor(span: Span) {
    const { traceId, spanId, traceState } = span.spanContext();
    this.#span = span;
    this.headers = traceHeaders({ traceId, spanId, isSampled: true, state: traceState?.serialize() ?? null });
  }

  begun(): void {
    this.#firstSeconds = (performance.now() - this.#begunMs) / 1_000;
    this.#span.setAttribute(GENERAL.status, 200);
  }

  failed(fault: UpstreamFault): void {
    this.#span.setAttribute(GENERAL.error, fault.kind);
    if ('status' in fault) this.#span.setAttribute(GENERAL.status, fault.status);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  over(): void {
    this.#overMs ??= Date.now();
  }

  finished(reasons: readonly string[]): void {
    this.#reasons = [...this.#reasons, ...reasons];
  }

  answered(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Ends the span; returns the attributes that its request has too. */
  end(): Attributes {
    const shared = {
      ...(this.#reasons.length > 0 && { [GEN_AI.finishReasons]: [...this.#reasons] }),
      ...(this.#firstSeconds !== null && { [GEN_AI.firstChunkSeconds]: this.#firstSeconds }),
    };
    this.#span.setAttributes(shared);
    this.#span.end(this.#overMs ?? undefined);
    return shared;
  }
}

function identity(of: Pick<EndedRequest['receipt'], 'workspaceId' | 'projectId' | 'keyId'>): Attributes {
  return {
    [FAREGATE.workspaceId]: of.workspaceId,
    [FAREGATE.projectId]: of.projectId,
    [FAREGATE.keyId]: of.keyId,
  };
}

function attributesOf({ receipt }: EndedRequest): Attributes {
  const { usage, clientRequestId } = receipt;
  const { tokens } = usage;
  return {
    [GEN_AI.stream]: receipt.streamed,
    [GEN_AI.inputTokens]: inputTokens(tokens),
    [GEN_AI.outputTokens]: outputTokens(tokens),
    [GEN_AI.cacheReadTokens]: tokens.cached_input,
    [GEN_AI.cacheWriteTokens]: tokens.cache_write_5m + tokens.cache_write_1h,
    [FAREGATE.usage]: usage.certainty,
    [FAREGATE.outcome]: receipt.outcome,
    ...(clientRequestId !== null && { [FAREGATE.clientRequestId]: clientRequestId }),
  };
}

function charges({ receipt: { charge } }: EndedRequest): Attributes {
  // Exact up to 9,007,199 USD; the decimal always is.
  return { [FAREGATE.chargeUsd]: formatUsd(charge), [FAREGATE.chargeNanoUsd]: Number(charge) };
}
