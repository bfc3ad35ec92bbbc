import { useMutation, useQuery } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { signInOptionsQuery } from '../api/sign-in.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useEnter } from '../session/enter.ts';
import { paths } from '../paths.ts';
import { ActionLink } from '../ui/action-link.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

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

const INPUTS: Readonly<Record<AccountField, { label: string; type?: 'email'; autoComplete: string; help?: string }>> = {
  email: { label: 'Email address', type: 'email', autoComplete: 'username' },
  name: { label: 'Your name', autoComplete: 'name' },
  password: { label: 'Password', autoComplete: 'new-password' },
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
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate();
  };
  const input = (field: AccountField): ReactNode => {
    const { label, type = 'text', autoComplete, help } = INPUTS[field];
    const isOptional = field === 'workspace';
    return (
      <Field key={field} label={label} help={help} optional={isOptional} error={problemOf(error, field)}>
        <TextInput
          type={type}
          value={given[field]}
          onChange={set(field)}
          required={!isOptional}
          autoComplete={autoComplete}
        />
      </Field>
    );
  };
  const before = asks.filter((field) => field !== 'workspace');
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {before.map(input)}
      <Field label="Password" help={rules} error={problemOf(error, 'password')}>
        <TextInput
          type="password"
          value={given.password}
          onChange={set('password')}
          required
          autoComplete="new-password"
        />
      </Field>
      {asks.includes('workspace') && input('workspace')}
      <ProblemPanel error={error} except={[...asks, 'password']} />
      {problemOf(error, 'token') !== null && <ActionLink href={paths.signIn()}>Go to sign-in</ActionLink>}
      <Button kind="primary" type="submit" busy={isPending}>
        {action}
      </Button>
    </form>
  );
}
