import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { confirmByPasskey, signInByPasskey } from '../api/passkeys.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useEnter } from '../session/enter.ts';
import { Button } from '../ui/button.tsx';

/** Signs in by a passkey. */
export function PasskeySignIn({ next }: { readonly next: string }): ReactNode {
  const enter = useEnter();
  return (
    <PasskeyUse use={signInByPasskey} onUsed={() => enter(next)}>
      Sign in with a passkey
    </PasskeyUse>
  );
}

/** Proves by a passkey, in a session, who its user is. */
export function PasskeyConfirm({ onUsed }: { readonly onUsed: () => unknown }): ReactNode {
  return (
    <PasskeyUse use={confirmByPasskey} onUsed={onUsed}>
      Use a passkey
    </PasskeyUse>
  );
}

interface PasskeyUseProps {
  readonly use: () => Promise<unknown>;
  readonly onUsed: () => unknown;
  readonly children: string;
}

function PasskeyUse({ use, onUsed, children }: PasskeyUseProps): ReactNode {
  const { mutate, error, isPending } = useMutation({ mutationFn: use, onSuccess: onUsed });
  return (
    <div className="flex flex-col gap-2">
      <Button busy={isPending} onClick={() => mutate()}>
        {children}
      </Button>
      <ProblemPanel error={error} />
    </div>
  );
}
