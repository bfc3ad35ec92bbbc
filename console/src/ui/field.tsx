import { type ReactNode, useId, useMemo, useState } from 'react';
import { FieldContext, type FieldControl } from './field-context.ts';

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  /** What would be right, in words. */
  readonly error?: string | null | undefined;
  readonly optional?: boolean | undefined;
  /** One control of this kit, which finds its label and its description by itself. */
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** A control with its label above, its help below, and its error in place of the help. */
export function Field({ label, help, error, optional = false, children, className = '' }: FieldProps): ReactNode {
  const id = useId();
  const [ownProblem, setOwnProblem] = useState<string | null>(null);
  // What the control reads of the text is newer than what was refused.
  const problem = ownProblem ?? error ?? null;
  const words = problem ?? help;
  const describes = words !== null && words !== undefined;
  const control = useMemo<FieldControl>(
    () => ({
      id,
      'aria-describedby': describes ? `${id}-words` : undefined,
      'aria-invalid': problem === null ? undefined : true,
      'aria-required': optional ? undefined : true,
      reportProblem: setOwnProblem,
    }),
    [id, describes, problem, optional],
  );
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="text-control font-medium">
        {label}
        {optional && <span className="font-normal text-text-3"> (optional)</span>}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      <div
        id={`${id}-words`}
        role={problem === null ? undefined : 'alert'}
        className={`text-meta ${problem === null ? 'text-text-3' : 'text-danger-text'} ${describes ? '' : 'hidden'}`}
      >
        {words}
      </div>
    </div>
  );
}
