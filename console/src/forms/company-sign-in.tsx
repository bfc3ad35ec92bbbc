import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { findOwnProvider } from '../api/sign-in.ts';
import { keepReturnPath } from '../session/return-path.ts';
import { Button } from '../ui/button.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { TextField } from './text-field.tsx';

const UNKNOWN = 'No company with a sign-in of its own has addresses like this here: sign in by password.';

/** Asks for the address, then leads to the provider of the company that owns its domain. */
export function CompanySignIn({ next }: { readonly next: string }): ReactNode {
  const [email, setEmail] = useState('');
  const [unknown, setUnknown] = useState('');
  const [isLeaving, setIsLeaving] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => findOwnProvider(email),
    onSuccess: ({ workspace_id: workspace }) => {
      if (workspace === null) {
        setUnknown(email);
        return;
      }
      setIsLeaving(true);
      keepReturnPath(next);
      location.assign(`/admin/v1/openid/begin?workspace=${workspace}`);
    },
  });
  return (
    <InlineForm error={error} onSubmit={() => mutate()}>
      <TextField
        param="email"
        label="Email address"
        help="You continue at the sign-in of your company."
        problem={unknown !== '' && unknown === email ? UNKNOWN : null}
        ref={focus}
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="username"
      />
      <FormProblem />
      <Button kind="primary" type="submit" busy={isPending || isLeaving}>
        Continue
      </Button>
    </InlineForm>
  );
}

/** The page has nothing else to begin with. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
