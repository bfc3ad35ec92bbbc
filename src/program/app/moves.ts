import type { Config } from '../../config/config.ts';
import { CellClient } from '../../control/cells/cell-client.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import { MoveWork } from '../../control/moves/move-work.ts';
import { isAnyUnderWay } from '../../control/moves/moves.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import type { Log } from '../telemetry/log.ts';

/** From a move that was begun to its first step, and between the tries of a step that can't be made. */
const LOOK = { intervalMs: 1_000, firstMs: 500 };

/** Carries moves of workspaces to other cells until the program stops. One process of an instance is enough. */
export function startMoves(parts: {
  readonly config: Pick<Config, 'database'>;
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}): void {
  const { config, sql, pacer, keyring, log, closing } = parts;
  const clock = new SystemClock();
  const cells = new CellClient(keyring);
  closing.defer(() => cells.close());
  const onFault = (fault: unknown): void =>
    log.warn({ err: fault }, 'a move of a workspace could not go on; will retry');
  const work = new MoveWork({ sql, pacer, clock, keyring, cells, shard: config.database.shard, onFault });
  const carryOn = async (): Promise<void> => {
    // A move may take hours, while others begin.
    if (await isAnyUnderWay(sql)) work.run().catch(onFault);
  };
  const moving = new Housekeeping(clock, [carryOn], onFault, LOOK);
  moving.start();
  closing.defer(() => moving.stop());
}
