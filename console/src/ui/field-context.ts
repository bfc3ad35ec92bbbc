import { createContext, useContext } from 'react';

/** What a field gives the control in it. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
  /** A control that reads what was typed reports what would be right; null takes it back. */
  readonly reportProblem: (problem: string | null) => void;
}

export const FieldContext = createContext<FieldControl | null>(null);

/** The attributes that tie a control to its field; none outside of one. */
export function useFieldAttributes(): Omit<FieldControl, 'reportProblem'> | Record<string, never> {
  const field = useContext(FieldContext);
  if (field === null) return {};
  const { reportProblem: _, ...attributes } = field;
  return attributes;
}

const NOBODY = (): void => {};

export function useReportProblem(): (problem: string | null) => void {
  return useContext(FieldContext)?.reportProblem ?? NOBODY;
}
