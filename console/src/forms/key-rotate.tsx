import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { KeyJson, RotatedKeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { reloadKeys, rotateKey } from '../api/keys.ts';
import { CommandLine } from '../components/command-line.tsx';
import { keyCommand } from '../components/key-command.ts';
import { KeySecret } from '../components/key-secret.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';

interface KeyRotateProps {
  readonly apiKey: KeyJson;
  /** Why it can't be rotated; null if it can. */
  readonly unavailable: string | null;
}

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

/** Gives a key another secret, which is shown once. */
export function KeyRotate({ apiKey, unavailable }: KeyRotateProps): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [overlap, setOverlap] = useState<Overlap>('24');
  const [rotated, setRotated] = useState<RotatedKeyJson | null>(null);
  const { workspace_id: workspace, id, name } = apiKey;
  const reload = (): Promise<void> => reloadKeys(queries, workspace);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => rotateKey(apiKey, { overlap_hours: Number(overlap) }),
    // The secret stays in no cache.
    gcTime: 0,
    onSuccess: async (answer) => {
      setIsOpen(false);
      setRotated(answer);
      await reload();
    },
    // It may have been changed since it was read: confirming again rotates it as it is then.
    onError: reload,
  });
  return (
    <>
      <Button onClick={() => setIsOpen(true)} unavailable={unavailable}>
        Rotate key
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Rotate ${name}?`}
        action="Rotate key"
        danger={overlap === '0'}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">
          It gets another secret. Both work until the former one ends, and spend under the one limit.
          {apiKey.former_secret_until !== null && ' The secret before the present one ends now.'}
        </p>
        <Field label="The former secret works for">
          <Select value={overlap} onChange={setOverlap} options={OVERLAPS} />
        </Field>
        <div className="mt-4">
          <CommandLine command={keyCommand.rotate(id, overlap)} />
        </div>
      </ConfirmDialog>
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
