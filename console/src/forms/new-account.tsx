import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { signInOptionsQuery } from '../api/sign-in.ts';
import { paths } from '../paths.ts';
import { useEnter } from '../session/enter.ts';
import { ActionLink } from '../ui/action-link.tsx';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem, ParamField } from './param-field.tsx';

interface AccountGiven {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly workspace: string;
}

type AccountField = keyof AccountGiven;

interface NewAccountProps {
  /** Which are asked for, besides the password. */
  readonly asks: readonly AccountField[];
  readonly action: string;
  readonly send: (given: AccountGiven) => Promise<{ readonly signed_in: boolean }>;
}

const INPUTS: Readonly<
  Record<AccountField, { label: string; type?: 'email' | 'password'; autoComplete: string; help?: string }>
> = {
  email: { label: 'Email address', type: 'email', autoComplete: 'username' },
  name: { label: 'Your name', autoComplete: 'name' },
  password: { label: 'Password', type: 'password', autoComplete: 'new-password' },
  workspace: {
    label: 'Name of your workspace',
    autoComplete: 'organization',
    help: 'It holds the credit, the projects and the keys. Leave it empty if you are joining one.',
  },
};

/** The form of a link that makes an account, or sets its password. Sending it signs the person in. */
export function NewAccount({ asks, action, send }: NewAccountProps): ReactNode {
  const enter = useEnter();
  const rules = useQuery(signInOptionsQuery).data?.password_rules;
  const [given, setGiven] = useState<AccountGiven>({ email: '', name: '', password: '', workspace: '' });
  const set = (field: AccountField) => (value: string) => setGiven((former) => ({ ...former, [field]: value }));
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => send(given),
    onSuccess: ({ signed_in: isSignedIn }) => enter(isSignedIn ? paths.start() : paths.signIn()),
  });
  const input = (field: AccountField): ReactNode => {
    const { label, type = 'text', autoComplete, help } = INPUTS[field];
    const isOptional = field === 'workspace';
    return (
      <ParamField
        key={field}
        param={field}
        label={label}
        help={field === 'password' ? rules : help}
        optional={isOptional}
      >
        <TextInput
          type={type}
          value={given[field]}
          onChange={set(field)}
          required={!isOptional}
          autoComplete={autoComplete}
        />
      </ParamField>
    );
  };
  const before = asks.filter((field) => field !== 'workspace');
  return (
    <InlineForm error={error} onSubmit={() => mutate()}>
      {before.map(input)}
      {input('password')}
      {asks.includes('workspace') && input('workspace')}
      <FormProblem />
      {problemOf(error, 'token') !== null && <ActionLink href={paths.signIn()}>Go to sign-in</ActionLink>}
      <Button kind="primary" type="submit" busy={isPending}>
        {action}
      </Button>
    </InlineForm>
  );
}
