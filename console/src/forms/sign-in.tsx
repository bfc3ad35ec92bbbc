import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { signIn } from '../api/sign-in.ts';
import { useEnter } from '../session/enter.ts';
import { Button } from '../ui/button.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { TextField } from './text-field.tsx';

/** Signs in by address and password; asks for a code where the account has an authenticator app. */
export function SignIn({ next }: { readonly next: string }): ReactNode {
  const enter = useEnter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => signIn({ email, password, ...(asksCode ? { code } : {}) }),
    onSuccess: () => enter(next),
    onError: (fault) => {
      if (asksCode || problemOf(fault, 'code') === null) return;
      // Nobody has been asked for the code yet, so that its lack is no mistake of theirs.
      reset();
      setAsksCode(true);
    },
  });
  return (
    <InlineForm error={error} onSubmit={() => mutate()}>
      {asksCode ? (
        <>
          <TextField
            param="code"
            label="Code"
            help="Six digits of your authenticator app, or one of your recovery codes."
            ref={focus}
            value={code}
            onChange={setCode}
            autoComplete="one-time-code"
            mono
          />
          <FormProblem />
        </>
      ) : (
        <>
          <TextField
            param="email"
            label="Email address"
            ref={focus}
            type="email"
            value={email}
            onChange={setEmail}
            autoComplete="username"
          />
          <TextField
            param="password"
            label="Password"
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
          />
          <FormProblem />
        </>
      )}
      <Button kind="primary" type="submit" busy={isPending}>
        Sign in
      </Button>
      {asksCode && (
        <Button
          kind="quiet"
          onClick={() => {
            setAsksCode(false);
            setCode('');
          }}
        >
          Back
        </Button>
      )}
    </InlineForm>
  );
}

/** The page has nothing else to begin with. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
