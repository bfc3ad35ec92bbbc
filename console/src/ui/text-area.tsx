import type { ReactNode, TextareaHTMLAttributes } from 'react';
import { useFieldAttributes } from './field-context.ts';
import { CONTROL_CLASS } from './text-input.tsx';

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value' | 'style'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly mono?: boolean | undefined;
}

/** Several lines of text. */
export function TextArea({
  value,
  onChange,
  mono = false,
  rows = 4,
  className = '',
  ...rest
}: TextAreaProps): ReactNode {
  return (
    <textarea
      {...useFieldAttributes()}
      {...rest}
      rows={rows}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${CONTROL_CLASS} h-auto resize-y py-1.5 ${mono ? 'font-mono' : ''} ${className}`}
    />
  );
}
