import { isShard } from '../../domain/key.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';
import type { CellClient, CellTarget } from './cell-client.ts';

/** What a cell says of itself. */
export interface CellStatus {
  /** Of its program. */
  readonly version: string;
  readonly shard: string;
}

/** The status that a cell has answered; null if its program is too old to say its shard. */
export function readCellStatus(body: unknown): CellStatus | null {
  if (typeof body !== 'object' || body === null || !('version' in body) || !('shard' in body)) return null;
  const { version, shard } = body;
  return typeof version === 'string' && typeof shard === 'string' ? { version, shard } : null;
}

/**
 * Why this can't be another cell that this one, of shard `own`, works with; its status if it can. The cell is asked.
 */
export async function checkCell(
  client: Pick<CellClient, 'callAt'>,
  target: CellTarget,
  own: string,
): Promise<CellStatus | Refusal> {
  const { shard } = target;
  if (!isShard(shard)) return wrong('shard', 'A shard is two letters or digits.');
  if (shard === own) return wrong('shard', `${shard} is the shard of this cell itself: name another one.`);
  const answer = await client.callAt(target, 'showStatus');
  if (!answer.ok) return refuse('CONFLICT', `The cell can't be added: ${answer.fault.message}`);
  const status = readCellStatus(answer.body);
  if (status === null) return wrong('url', 'The program there does not say its shard: upgrade that cell first.');
  if (status.shard === own)
    return wrong('url', `This is the address of this cell itself, or of another one with its shard.`);
  if (status.shard !== shard) return wrong('url', `The cell there has the shard ${status.shard}, not ${shard}.`);
  if (majorOf(status.version) !== majorOf(PROGRAM_VERSION)) {
    return refuse(
      'CONFLICT',
      `The cell there runs ${status.version}, which this program, ${PROGRAM_VERSION}, does not work with: upgrade the older one.`,
    );
  }
  return status;
}

function majorOf(version: string): string {
  return version.split('.', 1)[0] ?? '';
}

function wrong(param: string, message: string): Refusal {
  return refuse('INVALID_REQUEST', message, { param });
}
