import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

// Functions of another process. The mock upstream and the load generator each have a process of their own, so that
// what they cost is never counted as the gateway's, and none of them waits for another.

interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

type Answer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly failure: string };

/** A process that answers calls. */
export interface CalledProcess {
  readonly pid: number;
  /** Calls the function of that name there, and answers with what it answers. */
  call<Result>(name: string, argument?: unknown): Promise<Result>;
  stop(): Promise<void>;
}

/** Starts the module in a process of its own. The caller stops it. */
export function startCalledProcess(module: URL): CalledProcess {
  const child = fork(module, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  child.on('message', (answer: Answer) => {
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('failure' in answer) call?.reject(new Error(answer.failure));
    else call?.resolve(answer.value);
  });
  child.once('exit', (code) => {
    for (const call of waiting.values()) call.reject(new Error(`${module.pathname} ended with ${code}`));
    waiting.clear();
  });
  return {
    pid: child.pid ?? 0,
    call<Result>(name: string, argument?: unknown) {
      calls += 1;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(calls, { promise, resolve, reject });
      child.send({ id: calls, name, argument: argument ?? null } satisfies Call);
      return promise as Promise<Result>;
    },
    stop: () => stopChild(child),
  };
}

/** Sees to it that the process ends when this one does, also where nobody stops it: after a fault, or a Ctrl-C. */
export function endWithUs(pid: number): () => void {
  const end = (): void => {
    try {
      // Of the two it is the one at which the program doesn't wait for load balancers.
      process.kill(pid, 'SIGINT');
    } catch {
      // It has ended already.
    }
  };
  process.once('exit', end);
  return () => process.off('exit', end);
}

/** Ends a process that ends by itself when asked to. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Answers calls of the process that started this one, and ends when that does. */
export function answerCalls(functions: Readonly<Record<string, (argument: never) => unknown>>): void {
  process.on('message', ({ id, name, argument }: Call) => {
    const called = functions[name] as ((argument: unknown) => unknown) | undefined;
    Promise.try(() => {
      if (called === undefined) throw new Error(`there is no ${name}`);
      return called(argument);
    }).then(
      (value) => process.send?.({ id, value }),
      (fault: unknown) => process.send?.({ id, failure: fault instanceof Error ? fault.message : String(fault) }),
    );
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
