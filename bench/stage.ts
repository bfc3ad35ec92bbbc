import type { Account } from '../test/support/accounts.ts';
import { type CalledProcess, startCalledProcess } from './child-calls.ts';
import { type Instance, startInstance } from './instance.ts';
import { openTenant } from './tenants.ts';
import { startYardstick, type Yardstick } from './yardstick.ts';

/** The mock upstream, the yardstick before it, the load generator; and Faregate with one account. */
export interface Stage {
  readonly mock: MockUpstream;
  readonly yardstick: Yardstick | null;
  readonly bare: PassThrough;
  readonly load: CalledProcess;
  readonly instance: Instance;
  readonly account: Account;
  /** Adds to the answers that Faregate must have receipts for. */
  expectReceipts(answers: number): void;
  /** Checks the instance against them. */
  verify(): Promise<void>;
  stop(): Promise<void>;
}

export interface MockUpstream {
  readonly port: number;
  /** Requests that were taken up and stream chunks that were sent so far. */
  counts(): Promise<{ served: number; chunks: number }>;
  endSilent(): Promise<void>;
}

/** A second yardstick: the same runtime and the same HTTP parts, doing nothing but to pass requests on. */
export interface PassThrough {
  readonly port: number;
  readonly pid: number;
}

/** Which instance a stage has; left out: one of its own making. */
export interface StageOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the mock upstream. */
export async function startMock(closing: AsyncDisposableStack): Promise<MockUpstream> {
  const process = startCalledProcess(new URL('mock/mock-process.ts', import.meta.url));
  closing.defer(() => process.stop());
  return {
    port: await process.call<number>('listen'),
    counts: () => process.call('counts'),
    endSilent: () => process.call('endSilent'),
  };
}

/** Starts the load generator. */
export function startLoad(closing: AsyncDisposableStack): CalledProcess {
  const process = startCalledProcess(new URL('load/load-process.ts', import.meta.url));
  closing.defer(() => process.stop());
  return process;
}

async function startPassThrough(upstreamPort: number, closing: AsyncDisposableStack): Promise<PassThrough> {
  const process = startCalledProcess(new URL('pass-through-process.ts', import.meta.url));
  closing.defer(() => process.stop());
  return { port: await process.call<number>('listen', upstreamPort), pid: process.pid };
}

/** Starts everything. The caller stops it. */
export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const closing = new AsyncDisposableStack();
  try {
    const mock = await startMock(closing);
    const load = startLoad(closing);
    const yardstick = await startYardstick(mock.port);
    closing.defer(async () => yardstick?.stop());
    const bare = await startPassThrough(mock.port, closing);
    const instance = await startInstance(mock.port, options);
    closing.defer(() => instance.stop());
    const account = await openTenant(instance.database);
    let answers = 0;
    return {
      mock,
      yardstick,
      bare,
      load,
      instance,
      account,
      expectReceipts: (more) => void (answers += more),
      verify: () => instance.verify(answers),
      stop: () => closing.disposeAsync(),
    };
  } catch (fault) {
    await closing.disposeAsync();
    throw fault;
  }
}
