import { type ReactNode, useId } from 'react';

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly unavailable?: string | null | undefined;
}

interface RadioGroupProps<Value extends string> {
  readonly label: string;
  readonly options: readonly RadioOption<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** Beside each other, where the labels are short. */
  readonly inline?: boolean | undefined;
  readonly hideLabel?: boolean | undefined;
}

export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
  inline = false,
  hideLabel = false,
}: RadioGroupProps<Value>): ReactNode {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={hideLabel ? 'sr-only' : 'mb-1 text-control font-medium'}>{label}</legend>
      <div className={inline ? 'flex flex-wrap gap-x-4' : 'flex flex-col gap-1'}>
        {options.map((option) => {
          const words = option.unavailable ?? option.help;
          const id = `${name}-${option.value}`;
          return (
            <div key={option.value} className="flex gap-2">
              <input
                type="radio"
                id={id}
                name={name}
                checked={value === option.value}
                aria-disabled={option.unavailable ? true : undefined}
                aria-describedby={words ? `${id}-words` : undefined}
                onChange={() => option.unavailable || onChange(option.value)}
                className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-edge bg-surface checked:border-5 checked:border-text max-sm:mt-2 max-sm:size-6 max-sm:checked:border-7"
              />
              <div className="min-w-0">
                <label htmlFor={id} className="flex target items-center text-control">
                  {option.label}
                </label>
                {words && (
                  <p id={`${id}-words`} className="text-meta text-text-3 max-sm:-mt-2">
                    {words}
                  </p>
                )}
              </div>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
