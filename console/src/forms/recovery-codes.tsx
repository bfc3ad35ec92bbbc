import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { replaceRecoveryCodes } from '../api/account.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface RecoveryCodesProps {
  readonly title: string;
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The recovery codes, once. */
export function RecoveryCodes({ title, codes, onClose }: RecoveryCodesProps): ReactNode {
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
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: replaceRecoveryCodes,
    onSuccess: () => setIsOpen(false),
  });
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>New recovery codes</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Make new recovery codes?"
        action="Make new codes"
        danger={false}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p>The former codes stop working.</p>
      </ConfirmDialog>
      {data !== undefined && <RecoveryCodes title="New recovery codes" codes={data.recovery_codes} onClose={reset} />}
    </>
  );
}
