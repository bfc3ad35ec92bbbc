import * as z from 'zod';
import { baseUrl, duration, plainText, section, yesOrNo } from './file-fields.ts';

// What the instance reports beside its logs and /metrics.

const ENDPOINT_RIGHT = 'write the base address of OTLP over HTTP, such as "http://collector:4318"';
const HEADERS_RIGHT = 'write a mapping such as { authorization: "Bearer ${OTLP_TOKEN}" }';
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const PERCENT_RIGHT = 'write a percentage from 0 to 100, such as 1 or 0.1';
const ATTRIBUTES_RIGHT = 'write a mapping such as { deployment.environment.name: production }';

/** A share of requests, from a percentage; a string is what `${VAR}` makes of one. */
function percentage() {
  const inRange = z
    .number({ error: PERCENT_RIGHT })
    .min(0, { error: PERCENT_RIGHT })
    .max(100, { error: PERCENT_RIGHT });
  const digits = z
    .string({ error: PERCENT_RIGHT })
    .regex(/^\d{1,3}(\.\d{1,6})?$/, { error: PERCENT_RIGHT })
    .transform(Number)
    .pipe(inRange);
  return z.union([inRange, digits], { error: PERCENT_RIGHT });
}

/** Headers of each export to a collector. */
export function otlpHeaders() {
  return z
    .record(
      z.string().regex(HEADER_NAME, { error: HEADERS_RIGHT }),
      z.string({ error: HEADERS_RIGHT }).regex(/^[\x20-\x7e]{1,4096}$/, { error: HEADERS_RIGHT }),
      { error: HEADERS_RIGHT },
    )
    .prefault({});
}

/** A collector. Its endpoint alone is enough. */
export const otlp = section(
  {
    endpoint: baseUrl().describe('Where OTLP over HTTP is taken; /v1/traces and /v1/metrics are added.'),
    headers: otlpHeaders().describe('Headers of each export, such as a token.'),
    timeout: duration(100, 60_000).prefault('10s').describe('How long one export may take, repetitions included.'),
  },
  ENDPOINT_RIGHT,
);

const traces = section(
  {
    sample_percent: percentage()
      .prefault(100)
      .describe('How many of 100 requests are traced, if their callers say nothing about it.'),
    follow_callers: yesOrNo()
      .prefault(true)
      .describe("Whether the traceparent of a caller is the parent of a request's trace, and decides if there is one."),
  },
  'write a mapping such as { sample_percent: 1 }',
);

const metrics = section(
  {
    push_every: duration(0, 3_600_000).prefault('1m').describe('How often metrics are pushed; 0s pushes none.'),
  },
  'write a mapping such as { push_every: "30s" }',
);

export const telemetry = section(
  {
    otlp: otlp.optional().describe('A collector of OpenTelemetry. Left out: nothing is exported.'),
    service_name: plainText('write a name, such as faregate', 255)
      .prefault('faregate')
      .describe('The name of the service in traces and pushed metrics.'),
    attributes: z
      .record(plainText(ATTRIBUTES_RIGHT, 255), plainText(ATTRIBUTES_RIGHT, 1_024), { error: ATTRIBUTES_RIGHT })
      .prefault({})
      .describe('More attributes of the service, such as its environment.'),
    traces: traces.prefault({}),
    metrics: metrics.prefault({}),
    request_log: yesOrNo().prefault(false).describe('Whether each request of the API gets a line in the log.'),
  },
  'write a mapping such as { otlp: { endpoint: "http://collector:4318" } }',
);
