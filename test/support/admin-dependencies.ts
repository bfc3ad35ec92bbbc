import type { AdminDependencies } from '../../src/control/admin/admin-app.ts';
import { createExportLimit } from '../../src/control/admin/answer-export.ts';
import { Catalogue } from '../../src/control/catalogue/catalogue.ts';
import { CellClient } from '../../src/control/cells/cell-client.ts';
import { FIRST_SHARD } from '../../src/domain/key.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import type { ControlSql } from '../../src/lib/control-sql.ts';
import { Pacer } from '../../src/lib/pacer.ts';
import { verifyLedger } from './verify-ledger.ts';
import { testKeyring } from './keyring.ts';
import { noLiveUpdates } from './no-live-updates.ts';
import { noPayments } from './no-payments.ts';

/** The parts of the admin app that tests of identity don't look at. */
export function adminDependencies(sql: ControlSql): Omit<AdminDependencies, 'identify' | 'identity'> {
  const clock = new SystemClock();
  const onFault = (fault: unknown): never => {
    throw fault;
  };
  return {
    sql,
    keyring: testKeyring(sql),
    shard: FIRST_SHARD,
    cells: new CellClient(testKeyring(sql)),
    makePartitions: () => Promise.resolve(true),
    isShared: false,
    pacer: new Pacer(clock),
    exports: createExportLimit(clock),
    payments: noPayments(sql),
    live: noLiveUpdates(sql),
    serveModel: () => Promise.resolve(),
    metrics: { render: () => Promise.resolve('up 1\n'), contentType: 'text/plain' },
    catalogue: new Catalogue({ sql, clock, configured: [], onFault }),
    declaredInFile: () => ({ providers: [], models: [] }),
    listModelsAt: () => Promise.resolve({ ok: true, ids: [] }),
    status: () => ({ version: '0', ready: true, startedAt: new Date(0), database: 'embedded', problems: [] }),
    settings: () => Promise.resolve({ file: null, problem: null, settings: [] }),
    examine: () => Promise.resolve([]),
    health: () => Promise.resolve({ processes: 1, reports: [{ windowMs: 30_000, providers: [] }] }),
    backup: () => Promise.resolve(new Blob([]).stream()),
    proveLedger: () => verifyLedger(sql),
    onFault,
  };
}
