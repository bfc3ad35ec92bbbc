import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the probe in a program's main thread has noted. */
export interface LoopNote {
  readonly pid: number;
  /** Wall time. */
  readonly atMs: number;
  /** How long the event loop had computed without a pause. */
  readonly stretchMs: number;
  /** How long it had computed since the start. */
  readonly computedMs: number;
}

/** From when until when something took; wall time. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What the event loop of a started program computes, in its own processor time: other programs can't add to that. */
export class LoopNotes {
  readonly #directory = mkdtempSync(join(tmpdir(), 'faregate-probe-'));
  readonly #file = join(this.#directory, 'notes');

  /** The environment of a program that is to be probed. */
  get env(): Record<string, string> {
    const probe = new URL('./loop-probe.ts', import.meta.url).href;
    return { LOOP_PROBE: this.#file, NODE_OPTIONS: `--import=${probe}` };
  }

  /** The longest that it computed without a pause; milliseconds. */
  longestStretchMs(pid: number, { fromMs, untilMs = Infinity }: { fromMs: number; untilMs?: number }): number {
    const meant = this.#of(pid).filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs);
    return Math.max(0, ...meant.map(({ stretchMs }) => stretchMs));
  }

  /** How long it computed within each of these, as far as it has noted; milliseconds. */
  computedMs(pid: number, spans: readonly Span[]): readonly number[] {
    const notes = this.#of(pid);
    const by = (ms: number): number => (notes.find(({ atMs }) => atMs >= ms) ?? notes.at(-1))?.computedMs ?? Infinity;
    return spans.map(({ fromMs, untilMs }) => by(untilMs) - by(fromMs));
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true });
  }

  #of(pid: number): readonly LoopNote[] {
    const lines = readFileSync(this.#file, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as LoopNote).filter((note) => note.pid === pid);
  }
}
