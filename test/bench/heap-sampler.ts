import type { Program } from '../support/program.ts';

/** Bytes between two samples, on average: some 30,000 samples, so that chance moves their sum by half a percent. */
const INTERVAL_BYTES = 1_024;
const ADDRESS = /Debugger listening on (ws:\S+)/;
const OPEN_MS_MAX = 10_000;

interface SampledFunction {
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly selfSize: number;
  readonly children: readonly SampledFunction[];
}

/** Bytes that a program has allocated, by function. */
type Allocations = ReadonlyMap<string, number>;

/**
 * Samples what a program allocates, by the inspector of its V8: it must run with `--inspect`. V8's count of all allocated bytes
 * is no measure, since each look at it adds what is free in its young space. Samples are taken of the allocations themselves,
 * whenever they are collected.
 */
export class HeapSampler {
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async open(program: Program): Promise<HeapSampler> {
    const url = ADDRESS.exec(program.stderr())?.[1];
    if (url === undefined) throw new Error(`the program has no inspector: ${program.stderr()}`);
    const socket = new WebSocket(url);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error('the inspector could not be reached')), { once: true });
    const timer = setTimeout(() => reject(new Error('the inspector is silent')), OPEN_MS_MAX);
    await promise.finally(() => clearTimeout(timer));
    return new HeapSampler(socket);
  }

  /** The program doesn't end before. */
  close(): void {
    this.#socket.close();
  }

  /** What the program allocates while this runs. */
  async during(work: () => Promise<unknown>): Promise<Allocations> {
    await this.#call('HeapProfiler.startSampling', {
      samplingInterval: INTERVAL_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await work();
    const { profile } = (await this.#call('HeapProfiler.stopSampling', {})) as { profile: { head: SampledFunction } };
    const sizes = new Map<string, number>();
    const add = ({ callFrame, selfSize, children }: SampledFunction): void => {
      const name = `${callFrame.functionName} ${callFrame.url.replace(/^.*\/(?=src\/|node_modules\/)/, '')}`;
      sizes.set(name, (sizes.get(name) ?? 0) + selfSize);
      children.forEach(add);
    };
    add(profile.head);
    return sizes;
  }

  #call(method: string, params: object): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const listen = ({ data }: MessageEvent): void => {
      const message = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } };
      if (message.id !== id) return;
      this.#socket.removeEventListener('message', listen);
      if (message.error === undefined) resolve(message.result);
      else reject(new Error(message.error.message));
    };
    this.#socket.addEventListener('message', listen);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return promise;
  }
}
