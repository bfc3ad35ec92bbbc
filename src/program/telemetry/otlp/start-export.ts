import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { OtlpConfig, ProviderConfig, TelemetryConfig } from '../../../config/config.ts';
import type { Tracer } from '../../../gate/gateway/request-trace.ts';
import { PROGRAM_VERSION } from '../../../lib/program-version.ts';
import { CONVENTIONS, FAREGATE, providerNameOf } from './conventions.ts';
import { type KeptMetric, pushedMetrics } from './pushed-metrics.ts';
import type { TracedProvider } from './request-spans.ts';
import { createRequestTracer } from './request-tracer.ts';
import type { SpanFate } from '../span-fate.ts';
import { SpanQueue } from './span-queue.ts';

// Everything that needs OpenTelemetry's packages: this module is loaded once an instance has a collector.

interface ExportParts {
  readonly otlp: OtlpConfig;
  readonly config: Pick<TelemetryConfig, 'serviceName' | 'attributes'>;
  /** Names this process among those of the service. */
  readonly processId: string;
  /** The metrics as prom-client keeps them. */
  readonly metrics: () => Promise<readonly object[]>;
  readonly countSpans: (fate: SpanFate, spans: number) => void;
  readonly countPush: (isTaken: boolean) => void;
  readonly onFault: (fault: unknown) => void;
}

/** A running export to one collector. */
export interface Export {
  tracer(settings: TelemetryConfig['traces'], providers: readonly ProviderConfig[]): Tracer;
  /** Pushes the metrics once; resolves when that is over, however it ended. */
  push(): Promise<void>;
  /** Exports what waits, within this time; the rest is dropped, and counted. */
  stop(withinMs: number): Promise<void>;
}

export function startExport(parts: ExportParts): Export {
  const { otlp, config, countSpans, onFault } = parts;
  const agent = new (otlp.endpoint.startsWith('https:') ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const options = (signal: string) => ({
    url: `${otlp.endpoint}/v1/${signal}`,
    headers: { ...otlp.headers },
    timeoutMillis: otlp.timeoutMs,
    httpAgentOptions: () => agent,
  });
  const resource = resourceFromAttributes({
    ...config.attributes,
    'service.name': config.serviceName,
    'service.version': PROGRAM_VERSION,
    'service.instance.id': parts.processId,
    [FAREGATE.conventions]: CONVENTIONS,
  });
  const queue = new SpanQueue({ exporter: new OTLPTraceExporter(options('traces')), counted: countSpans, onFault });
  const spanMaker = new TracerProvider({
    resource,
    sampler: new AlwaysOnSampler(),
    spanProcessors: [queue],
  }).getTracer('faregate', PROGRAM_VERSION);
  const push = metricPusher(parts, new OTLPMetricExporter(options('metrics')), resource);
  return {
    tracer(settings, providers) {
      const known = new Map(providers.map((provider) => [provider.name, tracedProvider(provider)]));
      return createRequestTracer({ spanMaker, settings, random: Math.random, providerOf: (name) => known.get(name) });
    },
    push,
    async stop(withinMs) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, withinMs);
      await Promise.race([queue.shutdown(), late]);
      clearTimeout(timer);
      queue.abandon();
      // What still runs fails now, and keeps no process from ending.
      agent.destroy();
    },
  };
}

function metricPusher(
  { metrics, countPush, onFault }: ExportParts,
  exporter: OTLPMetricExporter,
  resource: Resource,
): () => Promise<void> {
  const startTime = toTime(performance.timeOrigin);
  return async () => {
    const kept = (await metrics()) as readonly KeptMetric[];
    const data = pushedMetrics(kept, { startTime, endTime: toTime(Date.now()) });
    const scopeMetrics = [{ scope: { name: 'faregate', version: PROGRAM_VERSION }, metrics: data }];
    const { promise, resolve } = Promise.withResolvers<void>();
    exporter.export({ resource, scopeMetrics }, ({ code, error }) => {
      const isTaken = code === ExportResultCode.SUCCESS;
      countPush(isTaken);
      if (!isTaken) onFault(error ?? 'no reason given');
      resolve();
    });
    await promise;
  };
}

/** Milliseconds since 1970 as seconds and nanoseconds. */
function toTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.floor((ms - seconds * 1_000) * 1_000_000)];
}

function tracedProvider(provider: ProviderConfig): TracedProvider {
  const system = providerNameOf(provider);
  if (!URL.canParse(provider.baseUrl)) return { system, host: null, port: null };
  const { hostname, port, protocol } = new URL(provider.baseUrl);
  return { system, host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}
