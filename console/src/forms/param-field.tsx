import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { problemOf } from '../api/api-error.ts';
import { Field } from '../ui/field.tsx';

/** Why the form around a field could not be sent. */
export const FormError = createContext<Error | null>(null);

interface ParamFieldProps extends ComponentProps<typeof Field> {
  /** The parameter that the field gives. */
  readonly param: string;
}

/** A field that says what is wrong with its parameter: by its own check, or as the form was refused. */
export function ParamField({ param, error, ...field }: ParamFieldProps): ReactNode {
  const refused = useContext(FormError);
  return <Field {...field} error={error ?? problemOf(refused, param)} />;
}
