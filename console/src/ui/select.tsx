import { ChevronDown } from 'lucide-react';
import type { ReactNode, SelectHTMLAttributes } from 'react';
import { useFieldAttributes } from './field-context.ts';
import { CONTROL_CLASS } from './text-input.tsx';

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** Options with the same group stand together under its name. */
  readonly group?: string | undefined;
}

export interface SelectProps<Value extends string> extends Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'onChange' | 'value' | 'style' | 'multiple'
> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly Option<Value>[];
}

function OptionList({ options }: { readonly options: readonly Option[] }): ReactNode {
  const groups = Map.groupBy(options, ({ group }) => group);
  return [...groups].map(([group, members]) => {
    const choices = members.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));
    return group === undefined ? (
      choices
    ) : (
      <optgroup key={group} label={group}>
        {choices}
      </optgroup>
    );
  });
}

export function Select<Value extends string>({
  value,
  onChange,
  options,
  className = '',
  ...rest
}: SelectProps<Value>): ReactNode {
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <span className={`relative block min-w-0 ${className}`}>
      <select
        {...useFieldAttributes()}
        {...rest}
        value={value}
        onChange={(event) => choose(event.target.value)}
        className={`${CONTROL_CLASS} appearance-none truncate pr-8!`}
      >
        <OptionList options={options} />
      </select>
      <ChevronDown
        size={16}
        strokeWidth={1.5}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2 my-auto text-text-3"
      />
    </span>
  );
}
