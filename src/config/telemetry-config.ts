import { ConfigFault } from './config-fault.ts';
import type { OtlpConfig, TelemetryConfig } from './config.ts';
import type { FileSettings } from './file-schema.ts';
import { otlp as otlpSection } from './file-telemetry.ts';
import { type Environment, variable } from './variables.ts';

// The settings of telemetry, with OpenTelemetry's own variables before the file. `OTEL_EXPORTER_OTLP_ENDPOINT` alone is
// enough for a collector.

/** The settings of the file and the environment. @throws ConfigFault if a variable can't be used */
export function telemetryOf({ telemetry }: Pick<FileSettings, 'telemetry'>, env: Environment): TelemetryConfig {
  const { service_name: serviceName, attributes, traces, metrics, request_log: requestLog } = telemetry;
  return {
    otlp: otlpOf(telemetry.otlp, env),
    serviceName: variable(env, 'OTEL_SERVICE_NAME') ?? serviceName,
    attributes: { ...attributes, ...pairsIn('OTEL_RESOURCE_ATTRIBUTES', env) },
    traces: { sampleRatio: traces.sample_percent / 100, followCallers: traces.follow_callers },
    metrics: { pushEveryMs: metrics.push_every },
    requestLog,
  };
}

type OtlpSection = FileSettings['telemetry']['otlp'];

function otlpOf(inFile: OtlpSection, env: Environment): OtlpConfig | null {
  const otlp = withEndpointOf(env, inFile);
  if (otlp === undefined || variable(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  const headers = { ...otlp.headers, ...pairsIn('OTEL_EXPORTER_OTLP_HEADERS', env) };
  return { endpoint: otlp.endpoint, headers, timeoutMs: otlp.timeout };
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

function withEndpointOf(env: Environment, inFile: OtlpSection): OtlpSection {
  const endpoint = variable(env, ENDPOINT);
  if (endpoint === undefined) return inFile;
  const read = otlpSection.safeParse({ endpoint });
  if (read.success) return { ...read.data, ...inFile, endpoint: read.data.endpoint };
  throw new ConfigFault(ENDPOINT, 'is not an address of OTLP over HTTP; write one such as "http://collector:4318"');
}

/** The settings whose values are in the environment, by their dotted names. */
export function telemetryVariables(env: Environment): readonly string[] {
  return [
    ...Object.keys(pairsIn('OTEL_EXPORTER_OTLP_HEADERS', env)).map((name) => `telemetry.otlp.headers.${name}`),
    ...Object.keys(pairsIn('OTEL_RESOURCE_ATTRIBUTES', env)).map((name) => `telemetry.attributes.${name}`),
  ];
}

/** The pairs of a variable such as `a=1,b=2`, values percent-encoded. */
function pairsIn(source: string, env: Environment): Readonly<Record<string, string>> {
  const pairs = (variable(env, source) ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(at, 0)).trim();
      const decoded = decodedOrNull(pair.slice(at + 1).trim());
      if (name === '' || decoded === null) {
        throw new ConfigFault(source, 'is not a list of names and values; write one such as "name=value,other=value"');
      }
      return [name, decoded];
    }),
  );
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
