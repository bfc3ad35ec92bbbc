import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

interface MailRequestProps {
  readonly request: (email: string) => Promise<unknown>;
  readonly action: string;
  /** What is said once it is sent, the same for every address. */
  readonly sent: string;
}

/** Asks for a link by mail. */
export function MailRequest({ request, action, sent }: MailRequestProps): ReactNode {
  const [email, setEmail] = useState('');
  const { mutate, error, isPending, isSuccess } = useMutation({ mutationFn: request });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate(email);
  };
  if (isSuccess) {
    return <output className="block text-body">{sent}</output>;
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field label="Email address" error={problemOf(error, 'email')}>
        <TextInput type="email" value={email} onChange={setEmail} required autoComplete="username" />
      </Field>
      <ProblemPanel error={error} except={['email']} />
      <Button kind="primary" type="submit" busy={isPending}>
        {action}
      </Button>
    </form>
  );
}
