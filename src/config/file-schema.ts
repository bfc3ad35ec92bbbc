import * as z from 'zod';
import { isIP } from 'node:net';
import { FIRST_SHARD, isShard } from '../domain/key.ts';
import { MODEL_KINDS } from '../domain/model.ts';
import { isNetwork } from '../lib/network-range.ts';
import { route } from './config-route.ts';
import { parsePostgresAddress, POSTGRES_ADDRESS_RIGHT, type PostgresAddressProblem } from '../lib/postgres-address.ts';
import { amount, baseUrl, duration, markup, plainText, section, size, wholeNumber, yesOrNo } from './file-fields.ts';
import { identity, networks } from './file-identity.ts';
import { alerts, mail, webhooks } from './file-notices.ts';
import { payments } from './file-payments.ts';
import { media, price, tools } from './file-prices.ts';
import { providers } from './file-providers.ts';
import { audit, backup, ledger, refusals } from './file-retention.ts';
import { secrets } from './file-secrets.ts';
import { sinks } from './file-sinks.ts';
import { telemetry } from './file-telemetry.ts';

// The schema of the config file, with its defaults. Relations between its parts (a route's provider
// exists, ids differ) are file-relations.ts's.

const HOUR_MS = 3_600_000;

/** The longest warm-up. */
export const WARM_UP_MS_MAX = 60_000;

/** The most processes that may share the port. */
export const WORKERS_MAX = 64;

const server = section(
  {
    host: plainText('write an address to listen on, such as 127.0.0.1', 255)
      .prefault('127.0.0.1')
      .describe('Address to listen on.'),
    port: wholeNumber(0, 65_535).prefault(8_080).describe('Port to listen on; 0 takes any free one.'),
    workers: wholeNumber(1, WORKERS_MAX).prefault(1).describe('Processes that share the port.'),
    body_max: size(1_024).prefault('32MiB').describe('The largest request body.'),
    headers_max: size(1_024).prefault('16KiB').describe('The largest header block.'),
    buffered_max: size(1_048_576).prefault('512MiB').describe('What all requests together may hold in memory.'),
    connections_max: wholeNumber(1, 1_000_000).prefault(10_000).describe('Open connections of callers.'),
    connections_per_address_max: wholeNumber(1, 1_000_000)
      .optional()
      .describe('Open connections of callers at one address. Left out: half of all.'),
    public_url: baseUrl()
      .optional()
      .describe('The address under which people reach the instance. Left out: the one that it listens on.'),
    trusted_proxies: networks((text) => isIP(text) !== 0 || isNetwork(text))
      .prefault([])
      .describe("Proxies whose X-Forwarded-For names the caller's address."),
  },
  'write a mapping such as { host: 127.0.0.1, port: 8080 }',
);

/** The fault of a PostgreSQL address, and its remedy; null: none. Quotes none of it. */
export function databaseUrlProblem(address: string): PostgresAddressProblem | null {
  const parsed = parsePostgresAddress(address);
  return 'wrong' in parsed ? parsed : null;
}

/** What is right for the name of a schema. Plain names alone: they stand in statements. */
export const SCHEMA_RIGHT =
  'write a name of lower-case letters, digits and "_", such as "faregate", not beginning with a digit or "pg_"';
const SCHEMA_NAME = /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}$/;

/** Whether the text may name the schema of an instance. */
export function isSchemaName(text: string): boolean {
  return SCHEMA_NAME.test(text);
}

const databaseUrl = z.string({ error: POSTGRES_ADDRESS_RIGHT }).superRefine((address, context) => {
  const problem = databaseUrlProblem(address);
  if (problem === null) return;
  context.addIssue({ code: 'custom', message: problem.right, params: { wrong: problem.wrong } });
});
const SHARD_RIGHT = 'write two letters or digits in quotation marks, such as "01"';

const database = section(
  {
    url: databaseUrl.optional().describe('A PostgreSQL database. Left out: the embedded one in the data directory.'),
    replica_url: databaseUrl
      .optional()
      .describe('A replica of it, from which lists, exports and reports are read. Left out: from the database itself.'),
    schema: z
      .string({ error: SCHEMA_RIGHT })
      .refine(isSchemaName, { error: SCHEMA_RIGHT })
      .optional()
      .describe(
        'The schema of the database that holds the instance. Left out: the one that the database gives this user.',
      ),
    shard: z
      .string({ error: SHARD_RIGHT })
      .refine(isShard, { error: SHARD_RIGHT })
      .prefault(FIRST_SHARD)
      .describe('The two letters or digits by which its keys begin, behind "fg_live_". Never changes.'),
    connections_max: wholeNumber(1, 1_000)
      .prefault(10)
      .describe('Connections to the database that serve requests of callers.'),
    control_connections_max: wholeNumber(2, 100)
      .prefault(3)
      .describe('Connections for the admin API, exports, proofs of the ledger, backups and regular work.'),
  },
  'write a mapping such as { url: "${DATABASE_URL}" }',
);

const timeouts = section(
  {
    headers: duration(1, HOUR_MS).prefault('20s').describe("For a caller's headers to arrive."),
    request: duration(1, HOUR_MS).prefault('60s').describe("For a caller's whole request to arrive."),
    plain: duration(1, 24 * HOUR_MS)
      .prefault('285s')
      .describe('For a plain call as a whole; clients give up at 300 s.'),
    stream: duration(1, 24 * HOUR_MS)
      .prefault('1h')
      .describe('For a stream as a whole.'),
    upstream_connect: duration(1, HOUR_MS).prefault('5s').describe('To connect to an upstream.'),
    upstream_first_byte: duration(1, 24 * HOUR_MS)
      .prefault('285s')
      .describe("For an upstream's first byte."),
    upstream_first_event: duration(1, 24 * HOUR_MS)
      .prefault('285s')
      .describe("For an upstream's first event, where a stream is asked for."),
    upstream_idle: duration(1, 24 * HOUR_MS)
      .prefault('120s')
      .describe("Between two pieces of an upstream's answer."),
    upstream_keep_alive: duration(0, HOUR_MS)
      .prefault('60s')
      .describe('How long an idle connection to an upstream is kept at most.'),
    ping: duration(1, HOUR_MS).prefault('15s').describe('Silence after which a stream is kept alive by a comment.'),
    usage: duration(0, HOUR_MS).prefault('5s').describe('How long an abandoned stream is read on for its usage.'),
    hold_wait: duration(0, HOUR_MS).prefault('2s').describe('How long a request waits for money that others hold.'),
    lame_duck: duration(0, HOUR_MS)
      .prefault('5s')
      .describe('How long the program goes on serving after SIGTERM, while it says that it is not ready.'),
    drain: duration(0, HOUR_MS).prefault('30s').describe('How long running requests may take when the program stops.'),
    warm_up: duration(0, WARM_UP_MS_MAX)
      .prefault('1500ms')
      .describe('How long a start serves requests of its own at most, so that its code is compiled.'),
    epoch: duration(100, HOUR_MS).prefault('30s').describe('Silence after which a process counts as dead.'),
  },
  'write a mapping such as { drain: "30s" }',
);

const routing = section(
  {
    window: duration(1, HOUR_MS).prefault('30s').describe("How far back the results of a route's attempts count."),
    results_min: wholeNumber(1, 1_000_000)
      .prefault(10)
      .describe('With fewer results than this a route goes on, whatever they are.'),
    failure_percent: wholeNumber(1, 100)
      .prefault(50)
      .describe('A route rests when at least this part of its results are failures.'),
    rest: duration(1, HOUR_MS).prefault('10s').describe('How long a failing route rests before one attempt probes it.'),
    refused_key_rest: duration(0, HOUR_MS)
      .prefault('30s')
      .describe('How long a route rests whose provider refuses its key.'),
  },
  'write a mapping such as { rest: "10s" }',
);

const structuredOutput = section(
  {
    free_per_hour: amount('write USD as a quoted decimal string with at most nine decimals, such as "0.25"')
      .prefault('0.25')
      .describe('USD of non-conforming answers that are free for a project in each hour.'),
  },
  'write a mapping such as { free_per_hour: "0.25" }',
);

/** As long as OpenAI keeps them. */
const STORE_MS_MAX = 30 * 24 * HOUR_MS;

const responses = section(
  {
    store_for: duration(0, STORE_MS_MAX)
      .prefault('24h')
      .describe('How long responses are kept for requests that go on from them; 0s keeps none.'),
    store_max: size(1_024).prefault('4GiB').describe('How much a workspace may have kept of them.'),
  },
  'write a mapping such as { store_for: "24h" }',
);

const ROUTES_RIGHT = 'write at least one route, such as [{ provider: openai, model: gpt-5-mini }]';
const MODEL_ID_RIGHT = 'write an id of letters, digits and any of "/ . : _ - @ +", at most 200 of them';

const FALLBACK_RIGHT = 'write a list of ids from "models", such as [gpt-5-mini]';

const model = section(
  {
    id: z
      .string({ error: MODEL_ID_RIGHT })
      .regex(/^[A-Za-z0-9][A-Za-z0-9/.:_@+-]{0,199}$/, { error: MODEL_ID_RIGHT })
      .describe('The id that callers use.'),
    kind: z
      .enum(MODEL_KINDS, { error: `write one of ${MODEL_KINDS.join(', ')}` })
      .prefault('chat')
      .describe('What it does.'),
    routes: z
      .array(route, { error: ROUTES_RIGHT })
      .min(1, { error: ROUTES_RIGHT })
      .describe('Ways to it, tried in order, or first by weight.'),
    price: price
      .optional()
      .describe('USD per million tokens, as decimal strings. Left out: made of the costs of its routes by its markup.'),
    markup: markup()
      .optional()
      .describe('How much its price is above the highest cost of its routes, in the place of a price: 10%.'),
    context_window: wholeNumber(1, 1_000_000_000).describe('Tokens of input and output together.'),
    max_output: wholeNumber(0, 1_000_000_000)
      .optional()
      .describe('The most output tokens of one answer. Required for a chat model.'),
    fallback: z
      .array(plainText(FALLBACK_RIGHT), { error: FALLBACK_RIGHT })
      .max(5, { error: 'write at most five models' })
      .default([])
      .describe('Models that answer if none of its routes does, tried in order.'),
    reasoning: yesOrNo()
      .prefault(false)
      .describe('It thinks before it answers: a stream that its caller has left is read on for longer.'),
    media: media.prefault({}).describe('The most tokens that images, audio and files count for.'),
    tools: tools.prefault({}).describe('How much tools that have a fee may be used, and what they read.'),
  },
  'write a mapping with id, routes, price, context_window and max_output',
);

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const fileSchema = section(
  {
    server: server.prefault({}),
    database: database.prefault({}),
    data: plainText('write the path of a directory')
      .optional()
      .describe('The data directory. Default: data, in the working directory.'),
    timeouts: timeouts.prefault({}),
    routing: routing.prefault({}),
    structured_output: structuredOutput.prefault({}),
    responses: responses.prefault({}),
    ledger: ledger.prefault({}),
    audit: audit.prefault({}),
    refusals: refusals.prefault({}),
    backup: backup.prefault({}),
    alerts: alerts.prefault({}),
    mail: mail.optional(),
    webhooks: webhooks.prefault({}),
    identity: identity.prefault({}),
    secrets: secrets.prefault({}),
    payments: payments.prefault({}),
    telemetry: telemetry.prefault({}),
    sinks,
    log_level: z
      .enum(LOG_LEVELS, { error: `write one of ${LOG_LEVELS.join(', ')}` })
      .prefault('info')
      .describe('The least level that is logged.'),
    providers,
    models: z.array(model, { error: 'write a list of models' }).prefault([]).describe('What callers may call.'),
  },
  'write a mapping with keys such as server, providers and models',
);

export type FileSettings = z.output<typeof fileSchema>;
export type FileModel = FileSettings['models'][number];
export type FileProvider = FileSettings['providers'][string];

/** The JSON Schema of the config file, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return { title: 'Faregate configuration', ...z.toJSONSchema(fileSchema, { io: 'input' }) };
}
