import type { ReactNode } from 'react';
import { MoneyInput } from '../ui/money-input.tsx';
import { TextInput, type TextInputProps } from '../ui/text-input.tsx';
import { ParamField } from './param-field.tsx';

interface TextFieldProps extends TextInputProps {
  /** The parameter that it gives. */
  readonly param: string;
  readonly label: string;
  readonly help?: string | undefined;
  /** What is wrong with it before it is sent. */
  readonly problem?: string | null | undefined;
  readonly optional?: boolean | undefined;
}

/** A field of one line, which has to be filled in unless it is optional. */
export function TextField({ param, label, help, problem, optional = false, ...input }: TextFieldProps): ReactNode {
  return (
    <ParamField param={param} label={label} help={help} error={problem} optional={optional}>
      <TextInput required={!optional} autoComplete="off" {...input} />
    </ParamField>
  );
}

type MoneyFieldProps = Pick<TextFieldProps, 'param' | 'label' | 'help' | 'problem' | 'value' | 'onChange'>;

/** A field for an amount in USD. */
export function MoneyField({ param, label, help, problem, ...input }: MoneyFieldProps): ReactNode {
  return (
    <ParamField param={param} label={label} help={help} error={problem}>
      <MoneyInput {...input} />
    </ParamField>
  );
}
