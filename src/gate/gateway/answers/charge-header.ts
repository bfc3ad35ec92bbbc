import { formatUsd, type NanoUsd } from '../../../domain/money.ts';

const CHARGE_HEADER = 'x-faregate-charge';

/** The header with a charge in USD: its name and value. */
export function chargeHeader(charge: NanoUsd): readonly [string, string] {
  return [CHARGE_HEADER, formatUsd(charge)];
}
