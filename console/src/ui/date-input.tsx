import type { ReactNode } from 'react';
import type { UtcDay } from '../format/day.ts';
import { TextInput } from './text-input.tsx';

interface DateInputProps {
  /** An empty one if no day is chosen. */
  readonly value: UtcDay;
  readonly onChange: (day: UtcDay) => void;
  readonly min?: UtcDay | undefined;
  readonly max?: UtcDay | undefined;
  readonly 'aria-label'?: string | undefined;
}

/** A day of UTC. */
export function DateInput({ value, onChange, ...rest }: DateInputProps): ReactNode {
  return <TextInput {...rest} type="date" value={value} onChange={onChange} className="tabular max-w-44" />;
}
