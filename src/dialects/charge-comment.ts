import { formatUsd, type NanoUsd } from '../domain/money.ts';

/** The charge in a stream's comment, which clients pass over. */
export function chargeComment(charge: NanoUsd): string {
  return `: faregate-charge ${formatUsd(charge)}\n\n`;
}
