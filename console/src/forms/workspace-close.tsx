import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { WorkspaceJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { paymentSettingsQuery } from '../api/credit.ts';
import { closeWorkspace } from '../api/workspaces.ts';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { workspaceCommand } from '../components/workspace-command.ts';
import { useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Money } from '../ui/money.tsx';

/** Closes the workspace for good by its typed name. */
export function WorkspaceClose({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const { id, name, balance_nano_usd: balance } = workspace;
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const paid = useQuery({ ...paymentSettingsQuery(id), enabled: isOpen }).data?.paid_nano_usd;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => closeWorkspace(workspace),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`${name} is closed. Its keys are refused.`);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['workspace', id] }),
        queries.invalidateQueries({ queryKey: ['me'] }),
      ]);
    },
  });
  return (
    <>
      <Button
        kind="danger"
        onClick={() => setIsOpen(true)}
        unavailable={useUnavailable(id, 'workspace:close', 'close this workspace')}
      >
        Close workspace
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Close ${name} for good?`}
        action="Close workspace"
        typedName={name}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <ul className="mb-4 flex list-disc flex-col gap-1 pl-4">
          <li>All its keys are refused from now on. Nobody can undo that.</li>
          <li>Requests that run are still served and charged.</li>
          <li>
            What is left after them is taken out, <Money amount={balance} className="font-medium text-text" /> as of now
            {paid === undefined ? '.' : <Parts balance={BigInt(balance)} paid={BigInt(paid)} />}
          </li>
        </ul>
        <CommandLine command={workspaceCommand.close(id)} />
      </ConfirmDialog>
    </>
  );
}

interface PartsProps {
  readonly balance: bigint;
  readonly paid: bigint;
}

/** What of the balance goes back, and what lapses. */
function Parts({ balance, paid }: PartsProps): ReactNode {
  const { refunded, lapsed } = partsOf(balance, paid);
  return (
    <>
      : <Money amount={refunded} className="font-medium text-text" /> that was paid is refunded, and{' '}
      <Money amount={lapsed} className="font-medium text-text" /> that was granted lapses.
    </>
  );
}

/** What of a balance goes back when its workspace is closed, as far as it was paid, and what lapses. */
export function partsOf(balance: bigint, paid: bigint): { readonly refunded: bigint; readonly lapsed: bigint } {
  const left = balance < 0n ? 0n : balance;
  const refunded = paid < left ? paid : left;
  return { refunded, lapsed: left - refunded };
}
