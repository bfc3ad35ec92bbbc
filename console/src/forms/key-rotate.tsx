import { type ReactNode, useState } from 'react';
import type { RotatedKeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { reloadKeys, rotateKey } from '../api/keys.ts';
import { keyCommand } from '../components/key-command.ts';
import { KeySecret } from '../components/key-secret.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import type { KeyActionProps } from './key-revoke.tsx';

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

/** Gives a key another secret, which is shown once. */
export function KeyRotate({ apiKey, unavailable }: KeyActionProps): ReactNode {
  const [overlap, setOverlap] = useState<Overlap>('24');
  const [rotated, setRotated] = useState<RotatedKeyJson | null>(null);
  const { workspace_id: workspace, id, name } = apiKey;
  return (
    <>
      <ConfirmAction
        action="Rotate key"
        unavailable={unavailable}
        title={`Rotate ${name}?`}
        danger={overlap === '0'}
        command={keyCommand.rotate(id, overlap)}
        send={() => rotateKey(apiKey, { overlap_hours: Number(overlap) })}
        onDone={setRotated}
        reload={(queries) => reloadKeys(queries, workspace)}
        isVersioned
      >
        <p>
          It gets another secret. Both work until the former one ends, and spend under the one limit.
          {apiKey.former_secret_until !== null && ' The secret before the present one ends now.'}
        </p>
        <Field label="The former secret works for">
          <Select value={overlap} onChange={setOverlap} options={OVERLAPS} />
        </Field>
      </ConfirmAction>
      {rotated !== null && (
        <KeySecret apiKey={rotated} title={`Key ${name} has another secret`} onSaved={() => setRotated(null)}>
          <p className="text-control">
            {rotated.former_secret_until === null ? (
              'The former secret has ended.'
            ) : (
              <>
                The former secret works for another <Countdown until={rotated.former_secret_until} />.
              </>
            )}
          </p>
        </KeySecret>
      )}
    </>
  );
}
