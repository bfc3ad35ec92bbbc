import { formatUsd, type NanoUsd } from '../domain/money.ts';
import { DONE_EVENT } from '../openai/sse.ts';

// The charge of a request, as its answer shows it. The receipt says the rest.

const CHARGE_HEADER = 'x-faregate-charge';

/** The header with a charge in USD: its name and value. */
export function chargeHeader(charge: NanoUsd): readonly [string, string] {
  return [CHARGE_HEADER, formatUsd(charge)];
}

/** The end of a stream: the charge in a comment, which clients pass over, and `[DONE]`. */
export function endOfStream(charge: NanoUsd): string {
  return `: faregate-charge ${formatUsd(charge)}\n\n${DONE_EVENT}`;
}
