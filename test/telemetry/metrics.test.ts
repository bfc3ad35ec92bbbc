import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { OUTCOMES, DIALECTS } from '../../src/domain/receipt.ts';
import { REFUSALS } from '../../src/domain/refusals.ts';
import { SINK_FATES } from '../../src/domain/sinks.ts';
import { TOKEN_CLASSES } from '../../src/domain/usage.ts';
import { ROUTE_STATES } from '../../src/gate/upstreams/health/standing.ts';
import { ROOT } from '../repository/tree.ts';
import { type Program, startProgram } from '../support/program.ts';
import { readQuery } from './promql.ts';

// What an instance tells those who watch it: counts, for the operator alone, and nothing about who called.

const PATIENCE = { timeout: 60_000, interval: 100 };

let program: Program;
let series: readonly Series[];

beforeAll(async () => {
  program = await startProgram();
  const messages = [{ role: 'user', content: 'hello' }];
  for (const stream of [false, true]) {
    await (await program.chat(program.key, { model: 'sandbox/echo', stream, messages })).text();
  }
  // The second repeats one that had failed.
  for (let times = 0; times < 2; times++) {
    await (await program.chat(program.key, { model: 'sandbox/error', messages })).text();
  }
  for (let at = 0; at < 20; at++) {
    await (await program.chat(program.key, { model: `unheard-of-${at}`, messages })).text();
  }
  await vi.waitUntil(async () => (await program.metrics()).includes('outcome="failed",streamed="false"} 2'), PATIENCE);
  series = seriesIn(await program.metrics());
});

afterAll(() => program.dispose());

test('answers, refusals and failed attempts are counted, and no key, workspace or model is named', async () => {
  const text = await program.metrics();
  expect(text).toContain('faregate_requests_total{outcome="completed",streamed="false"} 1');
  expect(text).toContain('faregate_requests_total{outcome="completed",streamed="true"} 1');
  expect(text).toContain('faregate_refusals_total{code="MODEL_NOT_FOUND"} 20');
  expect(text).toContain('faregate_errors_total{code="MODEL_NOT_FOUND"} 20');
  expect(text).toContain('faregate_errors_total{code="MODEL_UNAVAILABLE"} 2');
  expect(text).toContain('faregate_attempts_total{provider="sandbox"} 4');
  expect(text).toContain('faregate_attempt_faults_total{provider="sandbox",fault="failed"} 2');
  expect(text).toContain('faregate_provider_answer_seconds_count{provider="sandbox",streamed="true"} 1');
  expect(text).toContain('faregate_settlement_seconds_count 4');
  expect(text).toContain('faregate_live_epochs 1');
  expect(text).toContain('faregate_unsettled_receipts 0');
  expect(text).not.toMatch(/fg_live_|sandbox\/echo|unheard-of/);
});

test('a scrape needs an operator token, and is text', async () => {
  const authorization = `Bearer ${program.operatorToken}`;
  const scrape = await fetch(`${program.url}/metrics`, { headers: { authorization } });
  expect(scrape.headers.get('content-type')).toContain('text/plain');
  for (const headers of [{}, { authorization: `Bearer ${program.key}` }]) {
    const response = await fetch(`${program.url}/metrics`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

/** All labels of our own metrics, with their values; null: providers and faults, which the config file and code bound. */
const LABELS: Readonly<Record<string, readonly string[] | null>> = {
  code: Object.keys(REFUSALS),
  outcome: OUTCOMES,
  streamed: ['true', 'false'],
  dialect: DIALECTS,
  after: ['refused', 'failed', 'interrupted', 'abandoned'],
  class: TOKEN_CLASSES,
  cost: ['known', 'unknown'],
  limit: ['all', 'address'],
  result: ['exported', 'queue_full', 'export_failed', ...SINK_FATES],
  state: ROUTE_STATES,
  provider: ['sandbox'],
  fault: ['failed'],
  le: null,
};

interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** All series of a scrape. */
function seriesIn(scrape: string): readonly Series[] {
  return Array.from(scrape.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm), ([, metric = '', pairs = '']) => ({
    metric,
    labels: Object.fromEntries(Array.from(pairs.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value])),
  }));
}

test('each label has few values, all of them words of the program or providers, whatever callers send', () => {
  for (const { labels } of series.filter(({ metric }) => metric.startsWith('faregate_'))) {
    for (const [name, value] of Object.entries(labels)) {
      expect(Object.keys(LABELS)).toContain(name);
      expect(LABELS[name] ?? [value]).toContain(value);
    }
  }
});

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { panels } = JSON.parse(read('deploy/grafana/faregate.json')) as Dashboard;
const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as Rules;

/** What Prometheus itself adds to what it scrapes. */
const OF_PROMETHEUS = ['instance', 'job'];

test.each([
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
])('the query of "%s" reads metrics and labels that a started instance has', (_name, query) => {
  const { selectors, grouping } = readQuery(query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'));
  const labelsOf = (metric: string): string[] =>
    series.filter((one) => one.metric === metric).flatMap(({ labels }) => Object.keys(labels));
  expect(selectors.length).toBeGreaterThan(0);
  for (const { metric, labels } of selectors) {
    if (metric === 'up') continue;
    expect(series.map((one) => one.metric)).toContain(metric);
    const all = [...labelsOf(metric), ...OF_PROMETHEUS];
    for (const label of [...labels, ...grouping]) expect(all).toContain(label);
  }
});

test('docs/watching.md lists every metric of the program and every alert, and no other', async () => {
  const text = read('docs/watching.md');
  const listed = (pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, name = '']) => name).toSorted();
  const declared = Array.from((await program.metrics()).matchAll(/^# TYPE (faregate_\w+)/gm), ([, name = '']) => name);
  expect(listed(/^\| `(faregate_\w+)`/gm)).toEqual(declared.toSorted());
  expect(listed(/^\| `(Faregate\w+)`/gm)).toEqual(
    groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted(),
  );
});
