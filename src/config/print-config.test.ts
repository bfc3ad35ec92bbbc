import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configJsonSchema } from './file-schema.ts';
import { loadConfig } from './load-config.ts';
import { printConfig } from './print-config.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const FILE = `
server: { port: 0, body_max: 1MiB }
database: { url: "postgres://me:hunter2@host/db?sslpassword=hunter2" }
timeouts: { drain: 90s, plain: 1h }
routing: { failure_percent: 29, rest: 1m }
structured_output: { free_per_hour: "1.5" }
responses: { store_for: 90m, store_max: 3MiB }
alerts: { check_every: 90s }
mail: { smtp_url: "smtp://me:hunter2@mail.example:587", from: "Gate <gate@mail.example>" }
payments:
  seller: { name: Example GmbH, tax_id: DE123 }
  stripe: { secret_key: sk_test_hunter2, webhook_secret: whsec_hunter2, automatic_tax: true, base_url: "http://127.0.0.1:2/" }
  fee: { percent: "5.5", min: "0.80" }
  amount_max: "250"
  return_url: "https://gate.example/credit"
webhooks: { allowed_networks: ["127.0.0.0/8", "fd00::/8"] }
sinks:
  files: { kind: file, path: /var/sinks, rotate_at: 1MiB, queue_max: 2MiB }
  bucket: { kind: s3, endpoint: "http://s3", bucket: records, prefix: a/b, access_key_id: AKID, secret_access_key: hunter2, timeout: 9s }
  logs: { kind: otlp, endpoint: "http://collector:4318", headers: { authorization: "Bearer hunter2" }, deliver_every: 2s }
providers:
  p: { kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: hunter2 }
  s: { kind: sandbox, concurrency_max: 2 }
  groq: { kind: openai, base_url: "http://h/v1", profile: groq, cap_field: max_tokens, needs_cap: true, completions: true, drain: true }
  azure: { kind: azure, base_url: "http://h", api_version: 2024-10-21 }
  claude: { kind: anthropic, proxy: "http://me:hunter2@proxy:3128" }
  google: { kind: gemini, concurrency_max: 9 }
models:
  - id: a/b
    routes: [{ provider: p, model: m, weight: 2 }, { provider: groq, model: m, weight: 1, cost: { input: "0.5", output: "1", tiers: [{ above_input_tokens: 7, input: "1", output: "1" }], fees: { web_search: "0.008" } } }]
    reasoning: true
    price: { input: "0.000000001", output: "1", tiers: [{ above_input_tokens: 9, input: "2", output: "3" }], fees: { request: "0.001", web_search: "0.01", mcp: "0" } }
    tools: { web_search: { input_tokens: 20000 } }
    context_window: 100
    max_output: 10
    media: { image_tokens: 5 }
  - id: spoken
    routes: [{ provider: p, model: m }]
    price: { input: "1", output: "2", audio_output: "2", tiers: [{ above_input_tokens: 9, input: "2", output: "3", audio_output: "3" }] }
    context_window: 100
    max_output: 10
`;

function load(text: string) {
  writeFileSync(join(cwd, 'faregate.yaml'), text);
  return loadConfig({ flags: {}, env: {}, cwd });
}

test('a printed configuration has no secret in it', () => {
  const printed = printConfig(load(FILE));
  expect(printed).not.toContain('hunter2');
  expect(printed).toContain('api_key: "***"');
  expect(printed).toContain('postgres://me:***@host/db');
});

test('a printed configuration is a file that says the same', () => {
  const config = load(FILE);
  const { models, timeouts, routing, structured, responses, payments, webhooks, alerts, mail, server, providers } =
    load(printConfig(config));
  const hidden = config.providers.map((one) => ({
    ...one,
    apiKey: one.apiKey === null ? null : '***',
    proxy: one.proxy?.replace('hunter2', '***') ?? null,
  }));
  expect({
    models,
    timeouts,
    routing,
    structured,
    responses,
    payments,
    webhooks,
    alerts,
    mail,
    server,
    providers,
  }).toEqual({
    providers: hidden,
    models: config.models,
    timeouts: config.timeouts,
    routing: config.routing,
    structured: config.structured,
    responses: { storeForMs: 5_400_000, storeBytesMax: 3 * 2 ** 20 },
    payments: {
      ...config.payments,
      stripe: {
        secretKey: 'sk_test_***',
        webhookSecret: 'whsec_***',
        baseUrl: 'http://127.0.0.1:2',
        automaticTax: true,
        invoices: false,
      },
    },
    webhooks: { allowedNetworks: ['127.0.0.0/8', 'fd00::/8'] },
    alerts: { checkEveryMs: 90_000 },
    mail: { smtpUrl: 'smtp://me:***@mail.example:587', from: 'Gate <gate@mail.example>' },
    server: config.server,
  });
});

test('the published schema describes every key and refuses unknown ones', () => {
  const schema = JSON.stringify(configJsonSchema());
  for (const key of ['above_input_tokens', 'api_key_file', 'upstream_first_byte', 'image_tokens', 'log_level'])
    expect(schema).toContain(`"${key}"`);
  expect(configJsonSchema()).toMatchObject({
    additionalProperties: false,
    properties: { server: { properties: { port: { default: 8080 } } } },
  });
});
