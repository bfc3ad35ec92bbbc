import type { NanoUsd } from '../../domain/money.ts';
import type { Posting } from './posting.ts';

/** A receipt's charge after its corrections; nano-USD. */
export function netCharge(charge: NanoUsd, corrections: readonly Pick<Posting, 'amount'>[]): NanoUsd {
  return corrections.reduce((net, { amount }) => net - amount, charge);
}
