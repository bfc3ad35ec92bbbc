import { DatabaseUnavailable, SqlFault } from '../lib/sql.ts';
import { ClaimGone, EpochFenced, LeaseGone } from '../purses/ports/database.ts';

const EPOCH_FENCED = 'FG001';
const LEASE_GONE = 'FG002';
const CLAIM_GONE = 'FG003';
/** What a purse or a lease would break that has lost what this process counts on. */
const BROKEN_BY_LOSS: readonly (string | null)[] = ['leases_charged_within_grant', 'purses_credit_never_overdrawn'];

/** Turns the database's word that an epoch is fenced into the port's. */
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

/** Turns the database's word that a lease is gone, or no longer what this process takes it for, into the port's. */
export async function withLeases<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    const isGone =
      fault instanceof SqlFault && (fault.sqlState === LEASE_GONE || BROKEN_BY_LOSS.includes(fault.constraint));
    if (isGone) throw new LeaseGone('the database no longer knows what was leased', { cause: fault });
    throw fault;
  }
}

/** Turns the database's word that a claim is no longer its request's into the port's. */
export async function withClaims<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof SqlFault && fault.sqlState === CLAIM_GONE) {
      throw new ClaimGone('another request has the idempotency key of a receipt, or its claim is lost', {
        cause: fault,
      });
    }
    throw fault;
  }
}

/** No rows where somebody else had locked what a statement waited for: it has changed nothing. */
export async function noneWhereBusy<Row>(work: Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable && fault.reason === 'contended') return [];
    throw fault;
  }
}
