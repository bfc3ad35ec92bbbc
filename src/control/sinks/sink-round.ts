import type { Pacer } from '../../lib/pacer.ts';
import type { Sql } from '../../lib/sql.ts';

/** One round of delivery to a sink that this process holds. */
export interface SinkRound {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  readonly sink: string;
  /** This process. */
  readonly holder: string;
  /** Delivers records of a workspace; false if the sink may not have them. */
  readonly deliver: (workspaceId: string, records: readonly object[]) => Promise<boolean>;
}

/** Another process holds the sink by now. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost';

  constructor() {
    super('another process delivers to this sink by now');
  }
}
