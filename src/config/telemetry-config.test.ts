import { expect, test } from 'vitest';
import { loadConfigText } from './load-config.ts';
import { printConfig } from './print-config.ts';
import { settingTexts } from './setting-texts.ts';
import type { Environment } from './variables.ts';

function load(text: string, env: Environment = {}) {
  return loadConfigText(text, { flags: {}, env, cwd: '/nowhere' });
}

const FILE = `telemetry:
  otlp: { endpoint: "http://collector:4318/", headers: { authorization: "Bearer top-secret" }, timeout: 3s }
  attributes: { deployment.environment.name: production }
  traces: { sample_percent: 0.1, follow_callers: false }
`;

test('the file names a collector, its headers, the share of traced requests and attributes of the service', () => {
  expect(load(FILE).telemetry).toEqual({
    otlp: { endpoint: 'http://collector:4318', headers: { authorization: 'Bearer top-secret' }, timeoutMs: 3_000 },
    serviceName: 'faregate',
    attributes: { 'deployment.environment.name': 'production' },
    traces: { sampleRatio: 0.001, followCallers: false },
    metrics: { pushEveryMs: 60_000 },
    requestLog: false,
  });
});

test("OpenTelemetry's variables go before the file, and one of them alone names a collector", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b, authorization=other',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    OTEL_SERVICE_NAME: 'gate',
  };
  const { telemetry, origins } = load(FILE, env);
  expect(telemetry).toMatchObject({
    otlp: { endpoint: 'http://other:4318', headers: { 'x-tenant': 'a b', authorization: 'other' }, timeoutMs: 3_000 },
    serviceName: 'gate',
    attributes: { 'deployment.environment.name': 'staging' },
  });
  expect(origins['telemetry.otlp.headers.x-tenant']).toBe('environment');
  expect(origins['telemetry.attributes.deployment.environment.name']).toBe('environment');
  expect(load('', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318' }).telemetry.otlp).toEqual({
    endpoint: 'http://other:4318',
    headers: {},
    timeoutMs: 10_000,
  });
  expect(load(FILE, { OTEL_SDK_DISABLED: 'true' }).telemetry.otlp).toBeNull();
});

test('headers of exports are never shown', () => {
  const config = load(FILE);
  expect(printConfig(config)).not.toContain('top-secret');
  expect(settingTexts(config).get('telemetry.otlp.headers.authorization')).toBe('set');
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'is not an address of OTLP over HTTP'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization', 'is not a list of names and values'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=%', 'is not a list of names and values'],
])('the variable %s is not "%s": it %s', (name, value, problem) => {
  expect(() => load('', { [name]: value })).toThrow(`${name}: ${problem}`);
});

test.each([
  ['otlp: { endpoint: "collector" }', 'telemetry.otlp.endpoint is not a usable address'],
  ['otlp: { endpoint: "http://c", headers: { "a b": x } }', 'the name "a b" is not usable'],
  ['traces: { sample_percent: lots }', 'write a percentage from 0 to 100'],
  ['trace: {}', 'did you mean "traces"?'],
])('telemetry is not written as "%s"', (section, problem) => {
  expect(() => load(`telemetry: { ${section} }\n`)).toThrow(problem);
});
