import { Counter, Histogram } from 'prom-client';

// What every request adds to, as plain numbers, because a look-up by labels for each addition costs as much as ten of them.
// The metrics get the numbers when they are read.

type MetricOptions = Pick<ConstructorParameters<typeof Counter>[0], 'name' | 'help' | 'registers'>;
type Labels = Readonly<Record<string, string>>;

/** One series of a counter. */
export class Sum {
  #unread = 0;

  inc(by = 1): void {
    this.#unread += by;
  }

  /** What was added since the last call. */
  take(): number {
    const unread = this.#unread;
    this.#unread = 0;
    return unread;
  }
}

/** A counter with series that are added to by every request. */
export class Sums<Label extends string = string> {
  readonly #series: { readonly sum: Sum; readonly counter: Counter.Internal }[] = [];
  readonly #counter: Counter<Label>;

  constructor(options: MetricOptions & { readonly labelNames?: Label[] }) {
    this.#counter = new Counter({ ...options, collect: () => this.#collect() });
  }

  /** The series with these labels. It shows once it has been added to, or from the start. */
  series(labels: readonly string[], isShown = false): Sum {
    const counter = this.#counter.labels(...labels);
    if (isShown) counter.inc(0);
    const sum = new Sum();
    this.#series.push({ sum, counter });
    return sum;
  }

  #collect(): void {
    for (const { sum, counter } of this.#series) {
      const added = sum.take();
      if (added > 0) counter.inc(added);
    }
  }
}

/** One series of a histogram of durations. */
export class Durations {
  readonly labels: Labels;
  readonly #bounds: readonly number[];
  readonly #buckets: number[];
  #seconds = 0;
  #count = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#buckets = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    this.#seconds += seconds;
    this.#count += 1;
    let at = 0;
    for (const bound of this.#bounds) {
      if (seconds <= bound) break;
      at += 1;
    }
    const counted = this.#buckets[at];
    if (counted !== undefined) this.#buckets[at] = counted + 1;
  }

  get seconds(): number {
    return this.#seconds;
  }

  get count(): number {
    return this.#count;
  }

  /** How many were at most as long as each bound. */
  cumulative(): readonly number[] {
    let sum = 0;
    return this.#buckets.map((count) => (sum += count));
  }
}

/** A histogram with series that are added to by every request. */
export class DurationHistogram extends Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #labelNames: readonly string[];
  readonly #series: Durations[] = [];

  constructor(options: MetricOptions & { readonly labelNames?: string[]; readonly buckets: number[] }) {
    super(options);
    this.#name = options.name;
    this.#help = options.help;
    this.#bounds = options.buckets;
    this.#labelNames = options.labelNames ?? [];
  }

  /** The series with these labels. With labels, it shows once something was observed. */
  series(...labels: readonly string[]): Durations {
    const named = this.#labelNames.map((name, at) => [name, labels[at] ?? ''] as const);
    const series = new Durations(Object.fromEntries(named), this.#bounds);
    this.#series.push(series);
    return series;
  }

  override get(): ReturnType<Histogram['get']> {
    const shown = this.#series.filter(({ count }) => count > 0 || this.#labelNames.length === 0);
    // As the library's own it has no function, whatever its type says: workers send it to their supervisor.
    const metric = {
      name: this.#name,
      help: this.#help,
      type: 'histogram',
      aggregator: 'sum',
      values: shown.flatMap((series) => this.#valuesOf(series)),
    };
    return Promise.resolve(metric as unknown as Awaited<ReturnType<Histogram['get']>>);
  }

  /** For the text format. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get();
  }

  #valuesOf(series: Durations) {
    const { labels, seconds, count } = series;
    const cumulative = series.cumulative();
    const bucket = (le: number | string, value: number) => ({
      metricName: `${this.#name}_bucket`,
      labels: { le, ...labels },
      value,
    });
    return [
      ...this.#bounds.map((bound, at) => bucket(bound, cumulative[at] ?? 0)),
      bucket('+Inf', count),
      { metricName: `${this.#name}_sum`, labels, value: seconds },
      { metricName: `${this.#name}_count`, labels, value: count },
    ];
  }
}
