import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PaymentSettingsJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { updateAutoTopUp } from '../api/credit.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface AutoTopUpStopProps {
  readonly workspace: string;
  readonly settings: PaymentSettingsJson;
}

/** Turns automatic top-ups off. */
export function AutoTopUpStop({ workspace, settings }: AutoTopUpStopProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => updateAutoTopUp(workspace, settings.version, { enabled: false }),
    onSuccess: async () => {
      setIsOpen(false);
      showToast('Automatic top-up is off.');
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'credit'] });
    },
  });
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        unavailable={useUnavailable(workspace, 'payments:write', 'turn automatic top-up off')}
      >
        Turn off
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Turn automatic top-up off?"
        action="Turn it off"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p>Nothing more is charged. When the balance is used up, requests are refused until credit is added.</p>
      </ConfirmDialog>
    </>
  );
}
