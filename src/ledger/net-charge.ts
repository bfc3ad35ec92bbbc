import type { NanoUsd } from '../domain/money.ts';
import type { Posting } from './posting.ts';

/** What a receipt charges once its corrections are counted; nano-USD. */
export function netCharge(charge: NanoUsd, corrections: readonly Pick<Posting, 'amount'>[]): NanoUsd {
  return corrections.reduce((net, { amount }) => net - amount, charge);
}
