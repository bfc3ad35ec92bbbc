import { Registry } from 'prom-client';
import { toRoute } from '../../../config/config-route.ts';
import type { Config } from '../../../config/config.ts';
import { decodeTerms, encodeTerms } from '../../../control/catalogue/terms.ts';
import type { Model } from '../../../domain/model.ts';
import { CallerAddresses } from '../../../lib/caller-addresses.ts';
import { SystemClock } from '../../../lib/clock.ts';
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
/** A model and its route, made as those of a configuration are, so that they have the same shapes. */
function warmModel(): Model {
  const encoded = encodeTerms({
    kind: 'chat',
    price: { rates: RATES, tiers: [] },
    contextWindow: 128_000,
    maxOutput: 16_000,
    media: { imageTokens: null, audioTokens: null, fileTokens: null },
  });
  return Object.freeze({
    id: WARM_MODEL,
    terms: decodeTerms(JSON.parse(encoded)),
    priceVersionId: 1n,
    priceVersion: 1,
    routes: Object.freeze([Object.freeze(toRoute({ provider: PROVIDER, model: 'mock' }))]),
    reasoning: false,
    createdAtMs: 0,
  });
}

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
    apiKey: null,
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
  const provider = warmProvider(upstreamUrl);
  const model = warmModel();
  const upstreams = new UpstreamSet(clock, ignore);
  upstreams.configure({ providers: [provider], models: [model], timeouts });
  closing.defer(() => upstreams.close(0));
  const usage = new UsageMetrics(new Registry(), [1]);
  const routes = new RouteCounter({ clock, write: () => Promise.resolve(), onFault: ignore });
  const observer = new Observers({ ended: (request) => usage.ended(request) }, routes);
  const health = new Health(routing, observer);
  health.configure(routing, [provider]);
  const lookUp = (secrets: readonly Buffer[]) => spending.lookUp(secrets);
  const own = {
    principals: new PrincipalCache({ lookUp, clock, turns: EVENT_LOOP, feed: { subscribe: ignore } }),
    addresses: new CallerAddresses([]),
    catalogue: { find: () => model, list: () => [model] },
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
