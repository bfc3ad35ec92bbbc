import type { ReactNode } from 'react';
import { type Option, Select, type SelectProps } from './select.tsx';

interface FilterSelectProps<Value extends string> extends Omit<SelectProps<Value>, 'value' | 'onChange'> {
  /** What is chosen by; its name. */
  readonly label: string;
  /** The label of no choice: "All projects". */
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

interface Filters<Search> {
  readonly search: Search;
  /** What is chosen by, by the names of the search. */
  readonly filters: readonly {
    readonly [Name in keyof Search & string]-?: Pick<FilterSelectProps<string>, 'label' | 'all' | 'className'> & {
      readonly name: Name;
      readonly options: readonly Option<Extract<Search[Name], string>>[];
    };
  }[keyof Search & string][];
  readonly onChange: (change: Partial<Search>) => void;
}

/** Several of them. */
export function FilterSelects<Search extends object>({ search, filters, onChange }: Filters<Search>): ReactNode {
  return filters.map(({ name, options, ...words }) => (
    <FilterSelect<string>
      key={name}
      {...words}
      value={search[name] as string | undefined}
      onChange={(value) => onChange({ [name]: value } as Partial<Search>)}
      options={options}
    />
  ));
}
