import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { signIn } from '../api/sign-in.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useEnter } from '../session/enter.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { InlineForm } from './inline-form.tsx';
import { TextField } from './text-field.tsx';

/** Signs in by address and password; asks for a code where the account has an authenticator app. */
export function SignIn({ next }: { readonly next: string }): ReactNode {
  const enter = useEnter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signIn({ email, password, ...(asksCode ? { code } : {}) }),
    onSuccess: () => enter(next),
    onError: (fault) => problemOf(fault, 'code') !== null && setAsksCode(true),
  });
  return (
    <InlineForm error={error} onSubmit={() => mutate()}>
      {asksCode ? (
        <>
          <Field
            label="Code"
            help="Six digits of your authenticator app, or one of your recovery codes."
            error={code === '' ? null : problemOf(error, 'code')}
          >
            <TextInput ref={focus} value={code} onChange={setCode} required autoComplete="one-time-code" mono />
          </Field>
          <ProblemPanel error={error} except={['code']} />
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
          <Field label="Password">
            <TextInput
              type="password"
              value={password}
              onChange={setPassword}
              required
              autoComplete="current-password"
            />
          </Field>
          <ProblemPanel error={error} except={['email', 'code']} />
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
