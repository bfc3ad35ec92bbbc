import type { Registry } from 'prom-client';
import { NANO_PER_USD, type NanoUsd } from '../../domain/money.ts';
import type { Model } from '../../domain/model.ts';
import { costOf, feesOf } from '../../domain/price.ts';
import { priceIn } from '../../domain/tier-price.ts';
import { TOKEN_CLASSES, type TokenClass } from '../../domain/usage.ts';
import { NO_USES } from '../../domain/uses.ts';
import type { EndedRequest } from '../../gate/gateway/observer.ts';
import { DurationHistogram, type Durations, type Sum, Sums } from './series.ts';

/** The series of one provider, bound to its labels once. */
interface ProviderSeries {
  readonly attempts: Sum;
  readonly answerSeconds: { readonly streamed: Durations; readonly plain: Durations };
  readonly tokens: Readonly<Record<TokenClass, Sum>>;
  readonly charged: { readonly known: Sum; readonly unknown: Sum };
  readonly cost: Sum;
}

/**
 * What requests use of providers, by provider: attempts and how long their answers take to begin, tokens, charges, and what
 * the provider asks for them. Sums in USD are for graphs; the ledger has the exact ones.
 */
export class UsageMetrics {
  readonly #attempts: Sums<'provider'>;
  readonly #answerSeconds: DurationHistogram;
  readonly #tokens: Sums<'provider' | 'class'>;
  readonly #charged: Sums<'provider' | 'cost'>;
  readonly #cost: Sums<'provider'>;
  readonly #writtenOff: Sum;
  readonly #providers = new Map<string, ProviderSeries>();

  constructor(registry: Registry, buckets: number[]) {
    const registers = [registry];
    this.#attempts = new Sums({
      name: 'faregate_attempts_total',
      help: 'Attempts of requests that have ended, by provider.',
      labelNames: ['provider'],
      registers,
    });
    this.#answerSeconds = new DurationHistogram({
      name: 'faregate_provider_answer_seconds',
      help: "From an attempt's request to the first data event of its stream, or to the whole of its plain answer.",
      labelNames: ['provider', 'streamed'],
      buckets,
      registers,
    });
    this.#tokens = new Sums({
      name: 'faregate_tokens_total',
      help: 'Tokens that were charged, by class, as in receipts.',
      labelNames: ['provider', 'class'],
      registers,
    });
    this.#charged = new Sums({
      name: 'faregate_charged_usd_total',
      help: 'Charges in USD, by provider, and by whether it is known what the provider asks for them.',
      labelNames: ['provider', 'cost'],
      registers,
    });
    this.#cost = new Sums({
      name: 'faregate_provider_cost_usd_total',
      help: 'What providers ask in USD, by the costs of routes: charges with a known cost less this is the margin.',
      labelNames: ['provider'],
      registers,
    });
    const writtenOff = new Sums({
      name: 'faregate_written_off_usd_total',
      help: 'What requests cost in USD beyond their holds, and nobody pays.',
      registers,
    });
    this.#writtenOff = writtenOff.series([]);
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
    const tokens = TOKEN_CLASSES.map(
      (tokenClass) => [tokenClass, this.#tokens.series([provider, tokenClass])] as const,
    );
    // The first increase of a series that was not there before shows in no rate.
    const charged = (cost: 'known' | 'unknown'): Sum => this.#charged.series([provider, cost], true);
    const series = {
      attempts: this.#attempts.series([provider]),
      answerSeconds: {
        streamed: this.#answerSeconds.series(provider, 'true'),
        plain: this.#answerSeconds.series(provider, 'false'),
      },
      tokens: Object.fromEntries(tokens) as Record<TokenClass, Sum>,
      charged: { known: charged('known'), unknown: charged('unknown') },
      cost: this.#cost.series([provider], true),
    };
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
