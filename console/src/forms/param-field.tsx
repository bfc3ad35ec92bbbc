import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { ApiError, problemOf } from '../api/api-error.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Field } from '../ui/field.tsx';

interface FormState {
  /** Why the form could not be sent. */
  readonly error: Error | null;
  /** The parameters of the fields that it shows now. */
  readonly params: readonly string[];
  /** Adds the parameter of a field as long as it is shown; returns how to take it away. */
  readonly show: (param: string) => () => void;
}

const Form = createContext<FormState>({ error: null, params: [], show: () => () => undefined });

interface FormErrorProps {
  readonly value: Error | null;
  readonly children: ReactNode;
}

/** Around the fields of a form: why it could not be sent. */
export function FormError({ value, children }: FormErrorProps): ReactNode {
  const [params, setParams] = useState<readonly string[]>([]);
  const show = useCallback((param: string) => {
    setParams((all) => [...all, param]);
    return () => setParams((all) => all.toSpliced(all.indexOf(param), 1));
  }, []);
  const state = useMemo(() => ({ error: value, params, show }), [value, params, show]);
  return <Form value={state}>{children}</Form>;
}

interface ParamFieldProps extends ComponentProps<typeof Field> {
  /** The parameter that the field gives. */
  readonly param: string;
}

/** A field that says what is wrong with its parameter: by its own check, or as the form was refused. */
export function ParamField({ param, error, ...field }: ParamFieldProps): ReactNode {
  const { error: refused, show } = useContext(Form);
  useLayoutEffect(() => show(param), [show, param]);
  return <Field {...field} error={error ?? problemOf(refused, param)} />;
}

/** What went wrong with the form, unless one of its fields says it. */
export function FormProblem(): ReactNode {
  const { error, params } = useContext(Form);
  const isSaid = error instanceof ApiError && error.param !== null && params.includes(error.param);
  return isSaid ? null : <ProblemPanel error={error} />;
}
