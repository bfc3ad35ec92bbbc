import { Housekeeping } from '../jobs/housekeeping.ts';
import { LedgerWatch } from '../jobs/ledger-watch.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * Verifies the ledger every night until the program stops. On a schedule of its own, since a proof may take long. `watch`
 * resolves once the last result is known; a start that fails before needn't look at it.
 */
export function startLedgerWatch(parts: LedgerWatchParts): { readonly watch: Promise<LedgerWatch> } {
  const watch = learnedWatch(parts);
  watch.catch(() => undefined);
  return { watch };
}

interface LedgerWatchParts {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

async function learnedWatch(parts: LedgerWatchParts): Promise<LedgerWatch> {
  const { sql, pacer, clock, log, closing } = parts;
  const watch = new LedgerWatch({
    sql,
    pacer,
    clock,
    onDifferences: ({ differenceCount, differences }) =>
      log.error(
        { differences: differenceCount.toString(), checks: [...new Set(differences.map(({ check }) => check))] },
        'the ledger does not add up: run "faregate ledger verify", and take a backup before you change anything',
      ),
  });
  await watch.learn();
  const rota = new Housekeeping(clock, [() => watch.run()], (fault) =>
    log.warn({ err: fault }, 'the ledger could not be verified; will retry'),
  );
  rota.start();
  closing.defer(() => rota.stop());
  return watch;
}
