import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { paymentSettingsQuery } from '../api/credit.ts';
import { closeWorkspace } from '../api/workspaces.ts';
import { workspaceCommand } from '../components/workspace-command.ts';
import { useUnavailable } from '../session/access.ts';
import { Money } from '../ui/money.tsx';
import { ConfirmAction } from './confirm-action.tsx';

interface WorkspaceCloseProps {
  readonly workspace: WorkspaceJson;
}

/** Closes the workspace for good by its typed name. */
export function WorkspaceClose({ workspace }: WorkspaceCloseProps): ReactNode {
  const { id, name } = workspace;
  return (
    <ConfirmAction
      kind="danger"
      action="Close workspace"
      unavailable={useUnavailable(id, 'workspace:close', 'close this workspace')}
      title={`Close ${name} for good?`}
      typedName={name}
      command={workspaceCommand.close(id)}
      send={() => closeWorkspace(workspace)}
      done={() => `${name} is closed. Its keys are refused.`}
      reload={(queries) =>
        Promise.all([['workspace', id], ['me']].map((queryKey) => queries.invalidateQueries({ queryKey })))
      }
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        <li>All its keys are refused from now on. Nobody can undo that.</li>
        <li>Requests that run are still served and charged.</li>
        <RestOfCredit workspace={workspace} />
      </ul>
    </ConfirmAction>
  );
}

/** What becomes of the credit that is left. */
function RestOfCredit({ workspace: { id, balance_nano_usd: balance } }: WorkspaceCloseProps): ReactNode {
  const paid = useQuery(paymentSettingsQuery(id)).data?.paid_nano_usd;
  const parts = paid === undefined ? null : partsOf(BigInt(balance), BigInt(paid));
  return (
    <li>
      What is left after them is taken out, <Money amount={balance} className="font-medium text-text" /> as of now
      {parts === null ? (
        '.'
      ) : (
        <>
          : <Money amount={parts.refunded} className="font-medium text-text" /> that was paid is refunded, and{' '}
          <Money amount={parts.lapsed} className="font-medium text-text" /> that was granted lapses.
        </>
      )}
    </li>
  );
}

/** What of a balance goes back when its workspace is closed, as far as it was paid, and what lapses. */
export function partsOf(balance: bigint, paid: bigint): { readonly refunded: bigint; readonly lapsed: bigint } {
  const left = balance < 0n ? 0n : balance;
  const refunded = paid < left ? paid : left;
  return { refunded, lapsed: left - refunded };
}
