import { ROOT_CONTEXT, SpanKind, trace as spans, type Tracer as SpanMaker } from '@opentelemetry/api';
import { TraceState } from '@opentelemetry/core';
import type { TelemetryConfig } from '../../../config/config.ts';
import { type RequestTrace, type Tracer, UNTRACED } from '../../../gate/gateway/request-trace.ts';
import { readTraceContext, type TraceContext, traceHeaders } from '../trace-context.ts';
import { FAREGATE, GENERAL } from './conventions.ts';
import { RequestSpans, type TracedProvider } from './request-spans.ts';

interface RequestTracerParts {
  readonly spanMaker: SpanMaker;
  readonly settings: TelemetryConfig['traces'];
  readonly random: () => number;
  readonly providerOf: (name: string) => TracedProvider | undefined;
}

/**
 * Begins the traces of requests. A caller's trace is continued, and sampled if the caller's is; of the other requests the
 * set share is sampled, by chance.
 */
export function createRequestTracer({ spanMaker, settings, random, providerOf }: RequestTracerParts): Tracer {
  const { sampleRatio, followCallers } = settings;
  return {
    begin({ requestId, traceParent, traceState }, { name: dialect, path }) {
      const parent = followCallers && traceParent !== undefined ? readTraceContext(traceParent, traceState) : null;
      if (parent === null && random() >= sampleRatio) return UNTRACED;
      if (parent !== null && !parent.isSampled) return passingOn(parent);
      const attributes = {
        [GENERAL.method]: 'POST',
        [GENERAL.route]: path,
        [FAREGATE.requestId]: requestId,
        [FAREGATE.dialect]: dialect,
      };
      const root = spanMaker.startSpan(`POST ${path}`, { kind: SpanKind.SERVER, attributes }, contextOf(parent));
      return new RequestSpans({ tracer: spanMaker, root, dialect, providerOf });
    },
  };
}

function contextOf(parent: TraceContext | null): typeof ROOT_CONTEXT {
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, state } = parent;
  const remote = { traceId, spanId, traceFlags: 1, isRemote: true };
  return spans.setSpanContext(ROOT_CONTEXT, state === null ? remote : { ...remote, traceState: new TraceState(state) });
}

/** A caller's trace that isn't sampled: the provider gets what the caller has sent, and nothing is recorded. */
function passingOn(parent: TraceContext): RequestTrace {
  const attempt = { ...UNTRACED.attempt({ provider: '', upstreamModel: '' }), headers: traceHeaders(parent) };
  return { ...UNTRACED, attempt: () => attempt };
}
