import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { useFieldAttributes } from './field-context.ts';

export interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'style'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly mono?: boolean | undefined;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

/** What text inputs, selects and text areas look like. */
export const CONTROL_CLASS =
  'h-8 target w-full min-w-0 rounded-control border border-edge bg-surface px-2.5 text-control text-text placeholder:text-text-3 aria-invalid:border-danger disabled:bg-sunken disabled:text-text-3 max-sm:text-[16px]';

export function TextInput({
  value,
  onChange,
  mono = false,
  className = '',
  type = 'text',
  ...rest
}: TextInputProps): ReactNode {
  return (
    <input
      {...useFieldAttributes()}
      {...rest}
      type={type}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${CONTROL_CLASS} ${mono ? 'font-mono' : ''} ${className}`}
    />
  );
}
