import { startScriptedUpstream } from './scripted-upstream.ts';

// A collector of OpenTelemetry that takes OTLP over HTTP as JSON, by the letter of its protocol.

type Value =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: number | string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly Value[] } };

type Pairs = readonly { readonly key: string; readonly value: Value }[];
export type Attributes = Readonly<Record<string, unknown>>;

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Pairs;
  readonly status: { readonly code: number; readonly message?: string };
}

/** A span, with the attributes of its process. */
export interface ReceivedSpan extends Omit<WireSpan, 'attributes'> {
  readonly attributes: Attributes;
  readonly resource: Attributes;
}

interface WirePoint {
  readonly attributes: Pairs;
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly asInt?: number | string;
  readonly count?: number | string;
  readonly sum?: number;
  readonly bucketCounts?: readonly (number | string)[];
  readonly explicitBounds?: readonly number[];
}

interface WireMetric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly WirePoint[]; readonly isMonotonic: boolean };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
}

/** A point of a pushed metric, with the attributes of its process. */
export interface ReceivedPoint extends Omit<WirePoint, 'attributes'> {
  readonly name: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly attributes: Attributes;
  readonly resource: Attributes;
}

interface Resource {
  readonly resource: { readonly attributes: Pairs };
}

/** It takes what it gets, keeps its callers waiting for good, or refuses. */
export type Mood = 'takes' | 'hangs' | 'refuses';

export interface OtlpReceiver {
  readonly endpoint: string;
  mood: Mood;
  /** Requests that have come, of any mood. */
  readonly requests: Awaited<ReturnType<typeof startScriptedUpstream>>['requests'];
  /** What was taken. */
  readonly spans: readonly ReceivedSpan[];
  readonly points: readonly ReceivedPoint[];
  /** All bodies that were taken, as text. */
  text(): string;
  stop(): Promise<void>;
}

/** Starts one on a free port. The caller stops it. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const texts: string[] = [];
  const upstream = await startScriptedUpstream((response, { path, body, headers }) => {
    if (receiver.mood === 'hangs') return;
    if (receiver.mood === 'refuses' || headers['content-type'] !== 'application/json') {
      response.writeHead(400).end('{}');
      return;
    }
    const text = body.toString();
    texts.push(text);
    if (path === '/v1/traces') spans.push(...spansIn(JSON.parse(text) as Parameters<typeof spansIn>[0]));
    else points.push(...pointsIn(JSON.parse(text) as Parameters<typeof pointsIn>[0]));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const receiver: OtlpReceiver = {
    endpoint: upstream.origin,
    mood: 'takes',
    requests: upstream.requests,
    spans,
    points,
    text: () => texts.join('\n'),
    stop: () => upstream.stop(),
  };
  return receiver;
}

function spansIn({
  resourceSpans,
}: {
  resourceSpans: readonly (Resource & { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] })[];
}): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: read(span.attributes), resource: read(resource.attributes) })),
    ),
  );
}

function pointsIn({
  resourceMetrics,
}: {
  resourceMetrics: readonly (Resource & {
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[];
  })[];
}): ReceivedPoint[] {
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap((metric) =>
        (['sum', 'gauge', 'histogram'] as const).flatMap((kind) =>
          (metric[kind]?.dataPoints ?? []).map((point) => ({
            ...point,
            name: metric.name,
            kind,
            attributes: read(point.attributes),
            resource: read(resource.attributes),
          })),
        ),
      ),
    ),
  );
}

function read(pairs: Pairs): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: Value): unknown {
  if ('arrayValue' in value) return value.arrayValue.values.map(plain);
  if ('intValue' in value) return Number(value.intValue);
  return Object.values(value)[0];
}
