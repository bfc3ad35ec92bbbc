import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, type SubmitEvent, useId, useState } from 'react';
import { meQuery } from '../api/account.ts';
import { confirmSession, signInOptionsQuery } from '../api/sign-in.ts';
import { FormError, FormProblem } from '../forms/param-field.tsx';
import { TextField } from '../forms/text-field.tsx';
import { keepReturnPath } from '../session/return-path.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

const PasskeyConfirm = lazy(async () => ({ default: (await import('../forms/passkey-use.tsx')).PasskeyConfirm }));

interface ConfirmationProps {
  readonly onSettled: (isConfirmed: boolean) => void;
}

/** Asks for the password, or leads to the provider. */
export function ConfirmationDialog({ onSettled }: ConfirmationProps): ReactNode {
  const form = useId();
  const me = useQuery(meQuery).data;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({ mutationFn: confirmSession, onSuccess: () => onSettled(true) });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate({ password, ...(code === '' ? {} : { code }) });
  };
  const asksCode = me?.user.has_authenticator === true;
  const isOfCompany = me !== undefined && me.session.provider_workspace_id !== null;
  if (isOfCompany || me?.user.has_password === false) {
    return <ProviderDialog isOfCompany={isOfCompany} onSettled={onSettled} />;
  }
  return (
    <Dialog
      open
      title="Confirm that it is you"
      description="This needs a sign-in of the last 15 minutes."
      onClose={() => onSettled(false)}
      footer={
        <>
          <Button onClick={() => onSettled(false)}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={me?.user.email ?? ''} />
        <FormError value={error}>
          <TextField
            param="password"
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
          {asksCode && (
            <TextField
              param="code"
              label="Code"
              help="Of your authenticator app, or a recovery code."
              autoComplete="one-time-code"
              value={code}
              onChange={setCode}
            />
          )}
          <FormProblem />
        </FormError>
      </form>
      {me?.user.has_passkey === true && (
        <Suspense fallback={null}>
          <PasskeyConfirm onUsed={() => onSettled(true)} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** A user who has signed in at a provider, or has no password, confirms there; the browser goes there and comes back, so the action is taken again. */
function ProviderDialog({ isOfCompany, onSettled }: ConfirmationProps & { readonly isOfCompany: boolean }): ReactNode {
  const named = useQuery(signInOptionsQuery).data?.openid?.name ?? 'your provider';
  const provider = isOfCompany ? 'the provider of your company' : named;
  return (
    <Dialog
      open
      title="Confirm that it is you"
      description={`This needs a sign-in of the last 15 minutes. Sign in at ${provider}, then take the action again.`}
      onClose={() => onSettled(false)}
      footer={
        <>
          <Button onClick={() => onSettled(false)}>Cancel</Button>
          <a
            className={buttonClass('primary')}
            href="/admin/v1/openid/begin?purpose=confirm"
            onClick={() => keepReturnPath(location.pathname + location.search)}
          >
            Go to {provider}
          </a>
        </>
      }
    />
  );
}
