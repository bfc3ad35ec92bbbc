import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CodeBatchJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { cancelCodeBatch } from '../api/codes.ts';
import { codeCommand } from '../components/code-command.ts';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { formatNumberOf } from '../format/count.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

const WHY_NOT: Readonly<Record<CodeBatchJson['state'], string | null>> = {
  open: null,
  used_up: 'All of them are redeemed.',
  over: 'They are void already.',
};

/** Ends the codes of a batch that nobody has redeemed. */
export function CodeBatchCancel({ batch }: { readonly batch: CodeBatchJson }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const unused = batch.count - batch.redeemed;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => cancelCodeBatch(batch.id),
    onSuccess: async ({ count, redeemed }) => {
      setIsOpen(false);
      showToast(`${formatNumberOf(count - redeemed, 'code')} can no longer be redeemed.`);
      await queries.invalidateQueries({ queryKey: ['operator', 'codes'] });
    },
  });
  return (
    <>
      <Button unavailable={WHY_NOT[batch.state]} onClick={() => setIsOpen(true)}>
        Cancel unused codes
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Cancel ${formatNumberOf(unused, 'code')}?`}
        action="Cancel codes"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">
          Codes that nobody has redeemed are void from now on, and cannot be made valid again. Redeemed ones keep their
          credit.
        </p>
        <CommandLine command={codeCommand.cancel(batch.id)} />
      </ConfirmDialog>
    </>
  );
}
