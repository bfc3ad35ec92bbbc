import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { TextField } from './text-field.tsx';

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
  if (isSuccess) return <output className="block text-body">{sent}</output>;
  return (
    <InlineForm error={error} onSubmit={() => mutate(email)}>
      <TextField
        param="email"
        label="Email address"
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="username"
      />
      <FormProblem />
      <Button kind="primary" type="submit" busy={isPending}>
        {action}
      </Button>
    </InlineForm>
  );
}
