import type { ClipboardEvent, ReactNode } from 'react';
import { type Amount, formatMoney, formatMoneyExactly, moneyAsDecimal } from '../format/money.ts';

interface MoneyProps {
  /** Nano-USD as an integer string or a bigint. Null is a limit that there is not. */
  readonly amount: Amount | null;
  /** What null is called. */
  readonly none?: string | undefined;
  /** Decimals to keep room for, so that the points of a column stand below each other. */
  readonly decimals?: number | undefined;
  /** With all digits, as prices and receipts have them. */
  readonly exact?: boolean | undefined;
  readonly className?: string | undefined;
}

/** Copies the exact amount if nothing but this amount is selected. */
function copyExactly(event: ClipboardEvent<HTMLElement>, exact: string): void {
  const selection = window.getSelection();
  if (selection === null || !event.currentTarget.contains(selection.anchorNode)) return;
  if (!event.currentTarget.contains(selection.focusNode)) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', exact);
}

export function Money({ amount, none = 'no limit', decimals, exact = false, className = '' }: MoneyProps): ReactNode {
  if (amount === null) return <span className={`text-text-3 ${className}`}>{none}</span>;
  const written = formatMoneyExactly(amount);
  const shown = exact ? written : formatMoney(amount);
  const room = decimals === undefined ? 0 : decimals - (shown.length - shown.indexOf('.') - 1);
  const decimal = moneyAsDecimal(amount);
  return (
    <data
      value={decimal}
      title={written}
      onCopy={(event) => copyExactly(event, decimal)}
      data-room={room > 0 ? '0'.repeat(room) : undefined}
      className={`whitespace-nowrap sm:data-room:after:invisible sm:data-room:after:content-[attr(data-room)] ${className}`}
    >
      {shown}
    </data>
  );
}
