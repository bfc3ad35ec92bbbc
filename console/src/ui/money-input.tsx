import { type FocusEvent, type ReactNode, useEffect } from 'react';
import { readMoney } from '../format/money-entry.ts';
import { useReportProblem } from './field-context.ts';
import { TextInput, type TextInputProps } from './text-input.tsx';

interface MoneyInputProps extends Omit<TextInputProps, 'type' | 'inputMode' | 'mono'> {
  /** An empty one is no amount rather than a wrong one, as for a limit that there need not be. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** An amount of USD as people type it: "5", "5.00", "$5". `readMoney` makes money of its value. */
export function MoneyInput({
  value,
  onChange,
  mayBeEmpty = false,
  onBlur,
  className = '',
  ...rest
}: MoneyInputProps): ReactNode {
  const reportProblem = useReportProblem();
  useEffect(() => () => reportProblem(null), [reportProblem]);
  const change = (typed: string): void => {
    if (readMoney(typed).ok) reportProblem(null);
    onChange(typed);
  };
  const blur = (event: FocusEvent<HTMLInputElement>): void => {
    onBlur?.(event);
    const entry = readMoney(value);
    const isProblem = !entry.ok && value.trim() !== '';
    reportProblem(isProblem ? entry.problem : null);
    if (entry.ok && value !== entry.usd) onChange(entry.usd);
  };
  return (
    <span className={`relative block ${className}`}>
      <span
        className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-control text-text-3"
        aria-hidden="true"
      >
        $
      </span>
      <TextInput
        {...rest}
        value={value.replace(/^\s*\$ ?/, '')}
        onChange={change}
        onBlur={blur}
        inputMode="decimal"
        autoComplete="off"
        required={!mayBeEmpty}
        placeholder={rest.placeholder ?? (mayBeEmpty ? 'no limit' : '0.00')}
        className="tabular pl-6!"
      />
    </span>
  );
}
