import { findPrincipals, type PrincipalRow, toPrincipals } from '../../gate/principals/principals.ts';
import { assert } from '../../lib/assert.ts';
import { FREQUENT, type SqlRunner } from '../../lib/sql.ts';
import type { Principal } from '../../domain/principal.ts';
import type { FirstDraw, KeyStore, LookedUp } from '../../gate/purses/ports/database.ts';
import { type DrawnLease, toDrawReply } from './drawn-leases.ts';
import { withFencing, withLeases } from './epoch-fencing.ts';
import { type DrawnPermits, toPermitReply } from './permit-store.ts';

const LOOK_UP = 'call commit_look_up_keys($1, $2, $3, $4, $5, $6, $7, $8, $9, null, null, null, true)';

interface LookUpRow {
  readonly principals: readonly PrincipalRow[] | null;
  readonly leases: readonly (DrawnLease & { readonly subject_id: string })[] | null;
  readonly permits: readonly { readonly project_id: string; readonly draw: DrawnPermits }[] | null;
}

/** The store of keys in PostgreSQL; each method calls one function of functions/. */
export class PostgresKeyStore implements KeyStore {
  readonly #sql: SqlRunner;

  constructor(sql: SqlRunner) {
    this.#sql = sql;
  }

  find(secrets: readonly Buffer[]): Promise<readonly (Principal | null)[]> {
    return findPrincipals(this.#sql, secrets);
  }

  async findAndDraw(epochId: bigint, secrets: readonly Buffer[], draw: FirstDraw): Promise<LookedUp> {
    const { windows, sequence, ahead, permitSequence, tokens } = draw;
    const query = this.#sql.query<LookUpRow>(
      LOOK_UP,
      [
        epochId,
        secrets,
        windows.map(({ period }) => period),
        windows.map(({ startMs }) => new Date(startMs)),
        windows.map(({ endMs }) => (endMs === null ? null : new Date(endMs))),
        sequence,
        ahead,
        permitSequence,
        tokens,
      ],
      FREQUENT,
    );
    const [row] = await withLeases(withFencing(query));
    assert(row !== undefined, 'a look-up answers');
    return {
      principals: toPrincipals(row.principals, secrets.length),
      leases: new Map((row.leases ?? []).map((lease) => [lease.subject_id, toDrawReply(lease)])),
      permits: new Map((row.permits ?? []).map((each) => [each.project_id, toPermitReply(each.draw)])),
    };
  }
}
