import { findPrincipals, type PrincipalRow, toPrincipals } from '../accounts/principals.ts';
import { assert } from '../lib/assert.ts';
import { BRIEF, type SqlRunner } from '../lib/sql.ts';
import type { Principal } from '../domain/principal.ts';
import type { FirstDraw, KeyStore, LookedUp } from '../purses/ports/key-store.ts';
import type { DrawReply } from '../purses/ports/purse-store.ts';
import { withFencing, withLeases } from './epoch-fencing.ts';
import { type DrawnPermits, toPermitReply } from './permit-store.ts';

const LOOK_UP = `
  select principals, leases, permits
  from look_up_keys($1, $2, $3::text[], $4::timestamptz[], $5::timestamptz[], $6, $7, $8, $9)`;

interface LookUpRow {
  readonly principals: readonly PrincipalRow[] | null;
  readonly leases: readonly LeaseRow[] | null;
  readonly permits: readonly { readonly project_id: string; readonly draw: DrawnPermits }[] | null;
}

/** Amounts are text, because a number in JSON holds less than they do. */
interface LeaseRow {
  readonly subject_id: string;
  readonly purse_id: string;
  readonly limit_nano_usd: string | null;
  readonly spent_by_others_nano_usd: string;
  readonly available_nano_usd: string | null;
  readonly granted_nano_usd: string;
  readonly open: boolean;
  readonly mode: 'wet' | 'dry';
  readonly mode_number: string;
  readonly sequence: string;
}

const amountOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

function toDrawReply(row: LeaseRow): DrawReply {
  return {
    purseId: BigInt(row.purse_id),
    limit: amountOrNull(row.limit_nano_usd),
    spentByOthers: BigInt(row.spent_by_others_nano_usd),
    available: amountOrNull(row.available_nano_usd),
    granted: BigInt(row.granted_nano_usd),
    open: row.open,
    mode: row.mode,
    modeNumber: BigInt(row.mode_number),
    sequence: BigInt(row.sequence),
  };
}

/** The keys' store on PostgreSQL: one function of functions/ each. */
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
      BRIEF,
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
