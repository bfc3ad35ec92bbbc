import type { CliContext } from './cli-context.ts';
import { CliFailure } from './cli-failure.ts';

/** Prints the bytes of an export as they arrive, with backpressure from stdout. Fails if they end early. */
export async function printRecords({ surroundings }: CliContext, bytes: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of bytes) {
      surroundings.out(decoder.decode(chunk, { stream: true }));
      await surroundings.drained();
    }
  } catch (cause) {
    throw new CliFailure('the export is incomplete; do not use its output', { cause });
  }
}
