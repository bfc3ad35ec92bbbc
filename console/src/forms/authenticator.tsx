import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { AuthenticatorJson } from '../../../src/control/admin/identity/identity-contract.ts';
import {
  addAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
} from '../api/authenticator.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { FormFrame } from './form-frame.tsx';
import { FormError, FormProblem, ParamField } from './param-field.tsx';

const QrCode = lazy(async () => ({ default: (await import('../components/qr-code.tsx')).QrCode }));

/** Adds an authenticator app: its QR code, a code to confirm it, then the recovery codes. */
export function AuthenticatorAdd(): ReactNode {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useMutation({
    mutationFn: addAuthenticator,
    onError: (error) => showToast(error.message, 'failed'),
  });
  const finish = (recoveryCodes: readonly string[]): void => {
    begin.reset();
    setCodes(recoveryCodes);
  };
  const leave = async (): Promise<void> => {
    setCodes(null);
    await queries.invalidateQueries({ queryKey: ['me'] });
  };
  return (
    <>
      <Button busy={begin.isPending} onClick={() => begin.mutate()}>
        Set up two-step sign-in
      </Button>
      {begin.data !== undefined && (
        <ConfirmCode authenticator={begin.data} onConfirmed={finish} onClose={begin.reset} />
      )}
      {codes !== null && <RecoveryCodes title="Two-step sign-in is on" codes={codes} onClose={() => void leave()} />}
    </>
  );
}

interface ConfirmCodeProps {
  readonly authenticator: AuthenticatorJson;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

function ConfirmCode({ authenticator, onConfirmed, onClose }: ConfirmCodeProps): ReactNode {
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => confirmAuthenticator(code.replaceAll(' ', '')),
    onSuccess: ({ recovery_codes: codes }) => onConfirmed(codes),
  });
  const spaced = authenticator.secret.match(/.{1,4}/g)?.join(' ') ?? authenticator.secret;
  return (
    <FormFrame
      frame={Dialog}
      title="Set up two-step sign-in"
      description="Scan this with an authenticator app, then enter the code that the app shows."
      onClose={onClose}
      action="Turn on"
      busy={isPending}
      onSubmit={() => mutate()}
    >
      <Suspense fallback={<div className="size-48 rounded-control bg-sunken" />}>
        <QrCode text={authenticator.uri} label="QR code for your authenticator app" />
      </Suspense>
      <div className="text-control">
        <p className="text-text-2">Without a camera, enter this key into the app:</p>
        <p className="flex items-start gap-1">
          <code className="min-w-0 font-mono wrap-anywhere">{spaced}</code>
          <CopyButton text={authenticator.secret} label="Copy the key" />
        </p>
      </div>
      <FormError value={error}>
        <ParamField param="code" label="Code">
          <TextInput
            mono
            value={code}
            onChange={setCode}
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
          />
        </ParamField>
        <FormProblem />
      </FormError>
    </FormFrame>
  );
}

/** Removes the authenticator app, after which the password alone signs in. */
export function AuthenticatorRemove(): ReactNode {
  return (
    <ConfirmAction
      action="Turn off"
      title="Turn off two-step sign-in?"
      send={removeAuthenticator}
      done={() => 'Two-step sign-in is off.'}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['me'] })}
    >
      Your password alone signs you in then. The codes of the app and the recovery codes stop working.
    </ConfirmAction>
  );
}

interface RecoveryCodesProps {
  readonly title: string;
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The recovery codes, once. */
function RecoveryCodes({ title, codes, onClose }: RecoveryCodesProps): ReactNode {
  return (
    <SecretDialog
      title={title}
      description="Keep these recovery codes where you find them without your phone. Each replaces a code of the app once. They are not shown again."
      what="list of recovery codes"
      secret={codes.join('\n')}
      onSaved={onClose}
    />
  );
}

/** Replaces the recovery codes by new ones. */
export function RecoveryCodesReplace(): ReactNode {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <>
      <ConfirmAction
        label="New recovery codes"
        title="Make new recovery codes?"
        action="Make new codes"
        danger={false}
        send={replaceRecoveryCodes}
        onDone={(made) => setCodes(made.recovery_codes)}
      >
        The former codes stop working.
      </ConfirmAction>
      {codes !== null && <RecoveryCodes title="New recovery codes" codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}
