import { Registry } from 'prom-client';
import { toRoute } from '../../../config/config-route.ts';
import type { Config } from '../../../config/config.ts';
import { Catalogue } from '../../../control/catalogue/catalogue.ts';
import { encodeTerms } from '../../../control/catalogue/terms.ts';
import type { ModelTerms } from '../../../domain/model.ts';
import { CallerAddresses } from '../../../lib/caller-addresses.ts';
import { SystemClock } from '../../../lib/clock.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { Deadlines } from '../../../gate/gateway/attempts/deadlines.ts';
import { Pulse } from '../../../gate/gateway/answers/pulse.ts';
import { NO_CONTENT } from '../../../gate/gateway/content-recorder.ts';
import type { GatewayDeps } from '../../../gate/gateway/gateway-deps.ts';
import { KeyRate } from '../../../gate/gateway/questions/key-rate.ts';
import { RecentFailures } from '../../../gate/gateway/recent-failures.ts';
import { NO_TRACES } from '../../../gate/gateway/request-trace.ts';
import { PrincipalCache } from '../../../gate/principals/principal-cache.ts';
import { Spending } from '../../../gate/purses/spending.ts';
import { EVENT_LOOP } from '../../../gate/turns/stages.ts';
import { Health } from '../../../gate/upstreams/health/health.ts';
import { UpstreamSet } from '../../../gate/upstreams/upstream-set.ts';
import { RouteCounter } from '../../../control/routes/route-counter.ts';
import { SECONDS } from '../../telemetry/metrics.ts';
import { Observers } from '../../telemetry/observers.ts';
import { UsageMetrics } from '../../telemetry/usage-metrics.ts';
import { gateTimeouts } from '../adopt-config.ts';
import { LiveGate } from '../live-gate.ts';
import { WarmStore } from './warm-store.ts';

const PROVIDER = 'warm-up';
export const WARM_MODEL = 'warm-up';
const RATE = 1_000_000_000n;
const RATES = {
  input: RATE,
  cached_input: RATE,
  cache_write_5m: RATE,
  cache_write_1h: RATE,
  audio_input: RATE,
  output: RATE,
  audio_output: RATE,
};
const TERMS: ModelTerms = {
  kind: 'chat',
  price: { rates: RATES, tiers: [] },
  contextWindow: 128_000,
  maxOutput: 16_000,
  media: { imageTokens: null, audioTokens: null, fileTokens: null },
};
const MODEL = {
  id: WARM_MODEL,
  terms: TERMS,
  routes: Object.freeze([Object.freeze(toRoute({ provider: PROVIDER, model: 'mock' }))]),
  reasoning: false,
};
const PRICE_VERSION = {
  id: 1n,
  model: WARM_MODEL,
  version: 1,
  workspace_id: null,
  terms_id: 1n,
  terms: JSON.parse(encodeTerms(TERMS)) as unknown,
  first_created_at: new Date(0),
};
/** Answers as the database does to who reads prices. */
const PRICES: SqlRunner = { query: <Row extends object>() => Promise.resolve([PRICE_VERSION] as unknown as Row[]) };

const DEADLINE_TICK_MS = 200;

/** Stands for the parts of the path that no request of the warm-up needs. */
const UNUSED = new Proxy(Object.freeze({}), {
  get: () => {
    throw new Error('the warm-up has no such part');
  },
}) as never;

const ignore = (): void => undefined;

function startWarmSpending({ timeouts }: Pick<Config, 'timeouts'>, clock: SystemClock): Promise<Spending> {
  const store = new WarmStore();
  return Spending.start({
    store,
    permitStore: store,
    keyStore: store,
    clock,
    turns: EVENT_LOOP,
    instanceId: PROVIDER,
    processName: PROVIDER,
    timeoutMs: timeouts.epochMs,
    holdWaitMs: timeouts.holdWaitMs,
    journalOf: () => ({ write: () => Promise.resolve(), clear: () => Promise.resolve() }),
    trailOf: () => null,
    events: {
      serverBegun: ignore,
      failed: ignore,
      warned: ignore,
      receiptRefused: ignore,
      purseRefused: ignore,
      projectRefused: ignore,
    },
  });
}

function warmProvider(baseUrl: string) {
  return {
    name: PROVIDER,
    kind: 'openai',
    baseUrl,
    apiKey: 'warm-up',
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
    profile: null,
    capField: null,
    needsCap: null,
    hasCompletions: null,
  } as const;
}

/**
 * The path of requests with parts of its own: purses, limits, metrics and health that nobody sees, and the given upstream on
 * this machine.
 */
export async function createWarmGate(
  config: Pick<Config, 'timeouts' | 'routing'>,
  upstreamUrl: string,
  closing: AsyncDisposableStack,
): Promise<GatewayDeps> {
  const { timeouts, routing } = config;
  const clock = new SystemClock();
  const spending = await startWarmSpending(config, clock);
  closing.defer(() => spending.stop());
  const catalogue = new Catalogue({ sql: PRICES, clock, configured: [MODEL], onFault: ignore });
  await catalogue.reload();
  const provider = warmProvider(upstreamUrl);
  const upstreams = new UpstreamSet(clock, ignore);
  upstreams.configure({ providers: [provider], models: [MODEL], timeouts });
  closing.defer(() => upstreams.close(0));
  const usage = new UsageMetrics(new Registry(), SECONDS);
  const routes = new RouteCounter({ clock, write: () => Promise.resolve(), onFault: ignore });
  const observer = new Observers({ ended: (request) => usage.ended(request) }, routes);
  const health = new Health(routing, observer);
  health.configure(routing, [provider]);
  const lookUp = (secrets: readonly Buffer[]) => spending.lookUp(secrets);
  const own = {
    principals: new PrincipalCache({ lookUp, clock, turns: EVENT_LOOP, feed: { subscribe: ignore } }),
    addresses: new CallerAddresses([]),
    catalogue,
    forwarder: UNUSED,
    receipts: UNUSED,
    keyReads: UNUSED,
    countRate: new KeyRate(1, clock),
    idempotency: UNUSED,
    responses: UNUSED,
    responseRate: new KeyRate(1, clock),
    upstreams,
    health,
    clock,
    observer,
    content: NO_CONTENT,
    failures: new RecentFailures(clock),
    structured: UNUSED,
    pulse: new Pulse(clock, timeouts.pingMs),
    deadlines: new Deadlines(clock, DEADLINE_TICK_MS),
    random: Math.random,
    timeouts: gateTimeouts(timeouts),
  };
  return new LiveGate(own, { spending, exporting: { tracer: NO_TRACES } });
}
