import type { ReactNode } from 'react';
import { type Option, Select, type SelectProps } from './select.tsx';

interface FilterSelectProps<Value extends string> extends Omit<SelectProps<Value>, 'value' | 'onChange'> {
  /** What is chosen by; its name. */
  readonly label: string;
  /** What stands for no choice: "All projects". */
  readonly all: string;
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

/** Chooses what a list has, or everything. */
export function FilterSelect<Value extends string>({
  label,
  all,
  value,
  onChange,
  options,
  ...select
}: FilterSelectProps<Value>): ReactNode {
  const none: Option<Value | ''> = { value: '', label: all };
  return (
    <Select<Value | ''>
      {...select}
      aria-label={label}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      options={[none, ...options]}
    />
  );
}
