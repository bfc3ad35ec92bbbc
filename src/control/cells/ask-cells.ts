import type { OperationId } from '../operations/operations.ts';
import type { CellAnswer, CellCall, CellClient } from './cell-client.ts';
import type { Cell } from './cell-store.ts';

/** For all cells together: an operator waits. */
const ALL_MS_MAX = 1_000;
const AT_A_TIME = 32;

/**
 * Calls an operation of several cells for a second altogether, and returns what each has answered, in their order. If they are more than
 * are called at a time, each has its share of the second, so that silent ones take none of the time of others.
 */
export async function askCells(
  client: Pick<CellClient, 'call'>,
  cells: readonly Cell[],
  operation: OperationId,
  call: CellCall = {},
  signalAfter = (ms: number): AbortSignal => AbortSignal.timeout(ms),
): Promise<readonly CellAnswer[]> {
  const signal = signalAfter(ALL_MS_MAX);
  const answerMsMax = Math.floor(ALL_MS_MAX / Math.max(1, Math.ceil(cells.length / AT_A_TIME)));
  const answers: CellAnswer[] = [];
  const next = cells.entries();
  const work = async (): Promise<void> => {
    for (const [index, cell] of next)
      answers[index] = await client.call(cell, operation, { ...call, signal, answerMsMax });
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return answers;
}
