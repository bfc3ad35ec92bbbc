import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DescribedOperation } from './described-api.ts';

/** What undici says of a request before it is sent. */
interface SentRequest {
  readonly request: { readonly method: string; readonly path: string };
}

/** Runs something, and returns the operations of the document that this process has requested meanwhile. */
export async function operationsSentBy(
  described: readonly DescribedOperation[],
  run: () => Promise<void>,
): Promise<readonly DescribedOperation[]> {
  const sent: DescribedOperation[] = [];
  const listen = (message: unknown): void => {
    const { method, path } = (message as SentRequest).request;
    const operation = described.find(
      (each) => each.method === method && patternOf(each).test(path.replace(/\?.*/, '')),
    );
    if (operation !== undefined) sent.push(operation);
  };
  subscribe('undici:request:create', listen);
  try {
    await run();
  } finally {
    unsubscribe('undici:request:create', listen);
  }
  return sent;
}

function patternOf({ path }: DescribedOperation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
