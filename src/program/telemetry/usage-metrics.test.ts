import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { Model } from '../../domain/model.ts';
import { NO_TOKENS } from '../../domain/usage.ts';
import type { EndedRequest } from '../../gate/gateway/observer.ts';
import { UsageMetrics } from './usage-metrics.ts';

const RATE = 1_000_000n;
const RATES = {
  input: RATE,
  cached_input: RATE,
  cache_write_5m: RATE,
  cache_write_1h: RATE,
  audio_input: RATE,
  output: 10n * RATE,
  audio_output: 10n * RATE,
};

/** A route with a known cost, at which a token of input costs 1 nano-USD and one of output 10, and one without. */
const MODEL = {
  routes: [
    { provider: 'priced', upstreamModel: 'm', cost: { rates: RATES, tiers: [], fees: { request: 5n } } },
    { provider: 'unpriced', upstreamModel: 'm' },
  ],
} as unknown as Model;

function ended(provider: string, more: Partial<EndedRequest['receipt']> = {}): EndedRequest {
  const attempts = [
    { provider: 'broken', upstreamModel: 'm', status: 500, durationMs: 10, fault: 'failed' },
    { provider, upstreamModel: 'm', status: 200, durationMs: 2_000, fault: null },
  ];
  const usage = { tokens: { ...NO_TOKENS, input: 100, output: 10 }, certainty: 'exact' };
  const receipt = { attempts, usage, streamed: true, charge: 3_000_000_000n, writeOff: 0n, ...more };
  return { receipt, model: MODEL, code: null } as unknown as EndedRequest;
}

test('tokens, charges and what a provider asks count for the route that has answered', async () => {
  const registry = new Registry();
  const metrics = new UsageMetrics(registry, [1, 5]);
  metrics.ended(ended('priced', { extras: { uses: { request: 1 } } }));
  metrics.ended(ended('unpriced', { writeOff: 500_000_000n }));
  const text = await registry.metrics();
  for (const line of [
    'faregate_attempts_total{provider="broken"} 2',
    'faregate_attempts_total{provider="priced"} 1',
    'faregate_tokens_total{provider="priced",class="input"} 100',
    'faregate_tokens_total{provider="priced",class="output"} 10',
    'faregate_charged_usd_total{provider="priced",cost="known"} 3',
    'faregate_charged_usd_total{provider="unpriced",cost="unknown"} 3',
    'faregate_charged_usd_total{provider="unpriced",cost="known"} 0',
    'faregate_provider_cost_usd_total{provider="priced"} 2.05e-7',
    'faregate_provider_cost_usd_total{provider="unpriced"} 0',
    'faregate_written_off_usd_total 0.5',
    'faregate_provider_answer_seconds_bucket{le="1",provider="priced",streamed="true"} 0',
    'faregate_provider_answer_seconds_bucket{le="5",provider="priced",streamed="true"} 1',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  expect(text).not.toContain('faregate_provider_answer_seconds_count{provider="broken",streamed="true"}');
});
