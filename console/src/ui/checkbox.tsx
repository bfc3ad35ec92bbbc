import type { ReactNode } from 'react';
import { useId } from 'react';

interface CheckboxProps {
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly unavailable?: string | null | undefined;
  readonly name?: string | undefined;
}

export function Checkbox({ label, help, checked, onChange, unavailable, name }: CheckboxProps): ReactNode {
  const id = useId();
  const words = unavailable ?? help;
  return (
    <div className="flex gap-2">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={checked}
        aria-disabled={unavailable ? true : undefined}
        aria-describedby={words ? `${id}-words` : undefined}
        onChange={(event) => unavailable || onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-text max-sm:mt-2 max-sm:size-6"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="flex target items-center text-control">
          {label}
        </label>
        {words && (
          <p id={`${id}-words`} className="text-meta text-text-3">
            {words}
          </p>
        )}
      </div>
    </div>
  );
}
