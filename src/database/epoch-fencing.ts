import { SqlFault } from '../lib/sql.ts';
import { EpochFenced, LeaseGone } from '../purses/purse-store.ts';

const EPOCH_FENCED = 'FG001';
const LEASE_GONE = 'FG002';
const CHARGED_WITHIN_GRANT = 'leases_charged_within_grant';

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

/** Turns the database's word that a lease is gone, or too small for its charges, into the port's. */
export async function withLeases<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    const isGone =
      fault instanceof SqlFault && (fault.sqlState === LEASE_GONE || fault.constraint === CHARGED_WITHIN_GRANT);
    if (isGone) throw new LeaseGone('a charge has no lease to take it from', { cause: fault });
    throw fault;
  }
}
