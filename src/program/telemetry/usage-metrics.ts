import { Counter, Histogram, type Registry } from 'prom-client';
import { NANO_PER_USD, type NanoUsd } from '../../domain/money.ts';
import type { Model } from '../../domain/model.ts';
import { costOf, feesOf } from '../../domain/price.ts';
import { priceIn } from '../../domain/tier-price.ts';
import { TOKEN_CLASSES, type TokenClass } from '../../domain/usage.ts';
import { NO_USES } from '../../domain/uses.ts';
import type { EndedRequest } from '../../gate/gateway/observer.ts';

/** The series of one provider, bound to its labels once. */
interface ProviderSeries {
  readonly attempts: Counter.Internal;
  readonly answerSeconds: { readonly streamed: Histogram.Internal<string>; readonly plain: Histogram.Internal<string> };
  readonly tokens: Readonly<Record<TokenClass, Counter.Internal>>;
  readonly charged: { readonly known: Counter.Internal; readonly unknown: Counter.Internal };
  readonly cost: Counter.Internal;
}

/**
 * What requests use of providers, by provider: attempts and how long their answers take to begin, tokens, charges, and what
 * the provider asks for them. Sums in USD are for graphs; the ledger has the exact ones.
 */
export class UsageMetrics {
  readonly #attempts: Counter<'provider'>;
  readonly #answerSeconds: Histogram<'provider' | 'streamed'>;
  readonly #tokens: Counter<'provider' | 'class'>;
  readonly #charged: Counter<'provider' | 'cost'>;
  readonly #cost: Counter<'provider'>;
  readonly #writtenOff: Counter;
  readonly #providers = new Map<string, ProviderSeries>();

  constructor(registry: Registry, buckets: number[]) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'faregate_attempts_total',
      help: 'Attempts of requests that have ended, by provider.',
      labelNames: ['provider'],
      registers,
    });
    this.#answerSeconds = new Histogram({
      name: 'faregate_provider_answer_seconds',
      help: "From an attempt's request to the first data event of its stream, or to the whole of its plain answer.",
      labelNames: ['provider', 'streamed'],
      buckets,
      registers,
    });
    this.#tokens = new Counter({
      name: 'faregate_tokens_total',
      help: 'Tokens that were charged, by class, as in receipts.',
      labelNames: ['provider', 'class'],
      registers,
    });
    this.#charged = new Counter({
      name: 'faregate_charged_usd_total',
      help: 'Charges in USD, by provider, and by whether it is known what the provider asks for them.',
      labelNames: ['provider', 'cost'],
      registers,
    });
    this.#cost = new Counter({
      name: 'faregate_provider_cost_usd_total',
      help: 'What providers ask in USD, by the costs of routes: charges with a known cost less this is the margin.',
      labelNames: ['provider'],
      registers,
    });
    this.#writtenOff = new Counter({
      name: 'faregate_written_off_usd_total',
      help: 'What requests cost in USD beyond their holds, and nobody pays.',
      registers,
    });
  }

  ended({ receipt, model }: EndedRequest): void {
    const { attempts, streamed, usage, charge, writeOff } = receipt;
    for (const { provider, status, durationMs } of attempts) {
      const { attempts: count, answerSeconds } = this.#seriesOf(provider);
      count.inc();
      if (status === 200) (streamed ? answerSeconds.streamed : answerSeconds.plain).observe(durationMs / 1_000);
    }
    const last = attempts.at(-1);
    if (last === undefined) return;
    const { tokens, charged, cost } = this.#seriesOf(last.provider);
    for (const tokenClass of TOKEN_CLASSES) {
      if (usage.tokens[tokenClass] > 0) tokens[tokenClass].inc(usage.tokens[tokenClass]);
    }
    if (writeOff > 0n) this.#writtenOff.inc(usdOf(writeOff));
    const asked = costAsked(receipt, model, last);
    (asked === null ? charged.unknown : charged.known).inc(usdOf(charge));
    if (asked !== null) cost.inc(usdOf(asked));
  }

  #seriesOf(provider: string): ProviderSeries {
    const known = this.#providers.get(provider);
    if (known !== undefined) return known;
    const tokens = TOKEN_CLASSES.map((tokenClass) => [tokenClass, this.#tokens.labels(provider, tokenClass)] as const);
    const series = {
      attempts: this.#attempts.labels(provider),
      answerSeconds: {
        streamed: this.#answerSeconds.labels(provider, 'true'),
        plain: this.#answerSeconds.labels(provider, 'false'),
      },
      tokens: Object.fromEntries(tokens) as Record<TokenClass, Counter.Internal>,
      charged: { known: this.#charged.labels(provider, 'known'), unknown: this.#charged.labels(provider, 'unknown') },
      cost: this.#cost.labels(provider),
    };
    // The first increase of a series that was not there before shows in no rate.
    for (const counter of [series.charged.known, series.charged.unknown, series.cost]) counter.inc(0);
    this.#providers.set(provider, series);
    return series;
  }
}

/** What the provider of the last attempt asks for the usage of the request; null if its route has no cost. */
function costAsked(
  { usage, extras }: EndedRequest['receipt'],
  { routes }: Model,
  { provider, upstreamModel }: { readonly provider: string; readonly upstreamModel: string },
): NanoUsd | null {
  const route = routes.find((one) => one.provider === provider && one.upstreamModel === upstreamModel);
  const cost = route?.cost === undefined ? null : priceIn(route.cost, extras?.serviceTier ?? null);
  return cost === null ? null : costOf(cost, usage.tokens) + feesOf(cost, extras?.uses ?? NO_USES);
}

function usdOf(amount: NanoUsd): number {
  return Number(amount) / Number(NANO_PER_USD);
}
