import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { usedNamesQuery } from '../api/usage.ts';
import { FilterSelect } from '../ui/filter-select.tsx';
import type { Option } from '../ui/select.tsx';
import { useSettled } from '../ui/use-settled.ts';

/** For so long, what is chosen next comes first. */
const REST_MS = 1_000;
const WORDS = {
  project: { label: 'Project', all: 'All projects' },
  key: { label: 'Key', all: 'All keys' },
  model: { label: 'Model', all: 'All models' },
} as const;

interface NameFilterProps {
  readonly workspace: string;
  readonly of: keyof typeof WORDS;
  /** The time in which they were used. */
  readonly time: { readonly from: string; readonly to?: string | undefined };
  /** The page shows what it was asked for. */
  readonly shown: boolean;
  readonly chosen: string | undefined;
  readonly onChange: (chosen: string | undefined) => void;
}

/**
 * One project, key or model of those that were used in a time, the most expensive first. They are read when somebody is about
 * to choose, or once the page has rested, because they would delay what it shows.
 */
export function NameFilter({ workspace, of, time: { from, to }, shown, chosen, onChange }: NameFilterProps): ReactNode {
  const time = `${from} ${to ?? ''}`;
  const [preparedFor, setPreparedFor] = useState<string | null>(null);
  const isResting = useSettled(shown ? time : null, REST_MS) === time;
  const { data = [] } = useQuery({
    ...usedNamesQuery(workspace, of, to === undefined ? { from } : { from, to }),
    enabled: isResting || preparedFor === time,
  });
  const prepare = (): void => setPreparedFor(time);
  const named = data.map(({ group, name }): Option => ({ value: group, label: name ?? group }));
  // What is chosen stays among the choices, also if it was not used in this time.
  const isNamed = chosen === undefined || named.some(({ value }) => value === chosen);
  return (
    <FilterSelect
      {...WORDS[of]}
      className="max-w-44"
      value={chosen}
      onFocus={prepare}
      onPointerEnter={prepare}
      onChange={onChange}
      options={[...(isNamed ? [] : [{ value: chosen, label: chosen }]), ...named]}
    />
  );
}
