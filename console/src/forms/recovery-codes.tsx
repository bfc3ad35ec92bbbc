import { type ReactNode, useState } from 'react';
import { replaceRecoveryCodes } from '../api/account.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { ConfirmAction } from './confirm-action.tsx';

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
