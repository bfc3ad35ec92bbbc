import { DatabaseUnavailable, SqlFault } from '../../lib/sql.ts';
import { ClaimGone, EpochFenced, LeaseGone } from '../../gate/purses/ports/database.ts';

const EPOCH_FENCED = 'FG001';
const LEASE_GONE = 'FG002';
const CLAIM_GONE = 'FG003';
/** Constraints that a purse or lease violates if the server has lost a lease of this process. */
const BROKEN_BY_LOSS: readonly (string | null)[] = ['leases_charged_within_grant', 'purses_credit_never_overdrawn'];

/** Converts the database's error for a fenced epoch to the port's. */
export async function withFencing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof SqlFault && fault.sqlState === EPOCH_FENCED) {
      throw new EpochFenced('this process was declared dead by another', { cause: fault });
    }
    throw fault;
  }
}

/** Converts the database's errors for a lost lease, or one that differs from this process's figures, to the port's. */
export async function withLeases<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    const isGone =
      fault instanceof SqlFault && (fault.sqlState === LEASE_GONE || BROKEN_BY_LOSS.includes(fault.constraint));
    if (isGone) throw new LeaseGone('the database has lost a lease of this process', { cause: fault });
    throw fault;
  }
}

/** Converts the database's error for a claim that was lost to another request to the port's. */
export async function withClaims<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof SqlFault && fault.sqlState === CLAIM_GONE) {
      throw new ClaimGone('another request has the idempotency key of a receipt, or the claim is lost', {
        cause: fault,
      });
    }
    throw fault;
  }
}

/** No rows if a lock that the statement waited for was not released in time: the statement has changed nothing. */
export async function noRowsIfBusy<Row>(work: Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable && fault.reason === 'contended') return [];
    throw fault;
  }
}
