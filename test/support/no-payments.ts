import { Payments } from '../../src/control/payments/payments.ts';
import type { Sql } from '../../src/lib/sql.ts';

/** An instance without a payment provider. */
export function noPayments(sql: Sql): Payments {
  const terms = { fee: { share: 0n, min: 0n }, amountMin: 10_000_000n, amountMax: 10_000_000_000n };
  return new Payments({ sql, provider: null, terms, onMismatch: () => undefined });
}
