import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import type { Round } from './profile.ts';

/** One measure over all rounds. */
export interface Measure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** What a profile has measured. */
export interface ProfileReport {
  readonly profile: string;
  readonly about: string;
  readonly rounds: number;
  readonly measures: Readonly<Record<string, Measure>>;
}

export interface Report {
  readonly at: string;
  readonly commit: string | null;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string; readonly yardstick: string };
  readonly profiles: readonly ProfileReport[];
}

const DIGITS = 4;

function rounded(value: number): number {
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(DIGITS));
}

/** Median and spread of each measure. */
export function summarise(rounds: readonly Round[]): Readonly<Record<string, Measure>> {
  const names = new Set(rounds.flatMap((round) => Object.keys(round)));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = rounds.map((round) => round[name]).filter((value) => value !== undefined);
      const sorted = values.toSorted((a, b) => a - b);
      const [low = 0, high = low] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((at) => sorted[at]);
      const median = (low + high) / 2;
      return [name, { median: rounded(median), min: rounded(sorted[0] ?? 0), max: rounded(sorted.at(-1) ?? 0) }];
    }),
  );
}

/** The commit that is measured; null outside of a checkout. */
function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

export function report(yardstick: string | null, profiles: readonly ProfileReport[]): Report {
  return {
    at: new Date().toISOString(),
    commit: commit(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      node: process.version,
      yardstick: yardstick ?? 'nginx is not installed: no ratios',
    },
    profiles,
  };
}

/** A report for people: a table for each profile. */
export function asText({ machine, profiles }: Report): string {
  const head = `${machine.cores} cores of ${machine.cpu}, Node ${machine.node}, ${machine.yardstick}\n`;
  return head + profiles.map(profileText).join('');
}

function profileText({ profile, about, rounds, measures }: ProfileReport): string {
  const width = Math.max(...Object.keys(measures).map((name) => name.length));
  const lines = Object.entries(measures).map(
    ([name, { median, min, max }]) => `  ${name.padEnd(width)}  ${String(median).padStart(8)}   ${min} … ${max}\n`,
  );
  return `\n${profile}: ${about} (median of ${rounds}, least … most)\n${lines.join('')}`;
}
