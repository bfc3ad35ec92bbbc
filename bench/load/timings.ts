import type { Quantiles } from './load-plan.ts';

/** Durations, and their quantiles. */
export class Timings {
  #values: number[] = [];

  add(ms: number): void {
    this.#values.push(ms);
  }

  get count(): number {
    return this.#values.length;
  }

  clear(): void {
    this.#values = [];
  }

  quantiles(): Quantiles {
    const sorted = Float64Array.from(this.#values).toSorted();
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
  }
}
