import { type ReactNode, useId } from 'react';

interface SwitchProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly unavailable?: string | null | undefined;
}

/** A setting that takes effect when it is switched. What is sent with a form is a Checkbox. */
export function Switch({ label, help, on, onChange, unavailable }: SwitchProps): ReactNode {
  const id = useId();
  const words = unavailable ?? help;
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <span id={`${id}-label`} className="text-control font-medium">
          {label}
        </span>
        {words && (
          <p id={`${id}-words`} className="text-meta text-text-3">
            {words}
          </p>
        )}
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={`${id}-label`}
        aria-describedby={words ? `${id}-words` : undefined}
        aria-disabled={unavailable ? true : undefined}
        onClick={() => unavailable || onChange(!on)}
        className="group flex h-6 max-sm:h-10 items-center aria-disabled:cursor-not-allowed"
      >
        <span className="flex h-5 w-9 items-center rounded-full border border-edge bg-surface p-0.5 transition-colors group-aria-checked:border-accent group-aria-checked:bg-accent group-aria-disabled:border-line group-aria-disabled:bg-sunken!">
          <span className="size-3.5 rounded-full bg-edge transition-transform group-aria-checked:translate-x-4 group-aria-checked:bg-surface group-aria-disabled:bg-edge!" />
        </span>
      </button>
    </div>
  );
}
