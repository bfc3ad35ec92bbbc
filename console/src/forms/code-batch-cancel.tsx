import type { ReactNode } from 'react';
import type { CodeBatchJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { cancelCodeBatch } from '../api/codes.ts';
import { formatNumberOf } from '../format/count.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { commandWords } from '../components/command-words.ts';
import { CODE_COMMANDS } from '../../../src/control/operations/payment-commands.ts';

const WHY_NOT: Readonly<Record<CodeBatchJson['state'], string | null>> = {
  open: null,
  used_up: 'All of them are redeemed.',
  over: 'They are void already.',
};

/** Ends the unredeemed codes of a batch. */
export function CodeBatchCancel({ batch }: { readonly batch: CodeBatchJson }): ReactNode {
  return (
    <ConfirmAction
      label="Cancel unused codes"
      unavailable={WHY_NOT[batch.state]}
      title={`Cancel ${formatNumberOf(batch.count - batch.redeemed, 'code')}?`}
      action="Cancel codes"
      command={commandWords(CODE_COMMANDS, 'code cancel', { batch: batch.id })}
      send={() => cancelCodeBatch(batch.id)}
      done={({ count, redeemed }) => `${formatNumberOf(count - redeemed, 'code')} can no longer be redeemed.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['operator', 'codes'] })}
    >
      Codes that nobody has redeemed are void from now on, and cannot be made valid again. Redeemed ones keep their
      credit.
    </ConfirmAction>
  );
}
