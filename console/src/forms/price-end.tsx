import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PriceAdjustmentJson } from '../../../src/control/admin/catalogue/price-contract.ts';
import { adjustPrices } from '../api/prices.ts';
import { CommandLine } from '../components/command-line.tsx';
import { changeWords } from '../components/price-change.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { workspaceCommand } from '../components/workspace-command.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface PriceEndProps {
  readonly workspace: string;
  readonly adjustment: PriceAdjustmentJson;
  /** All of the workspace, of which that for all models takes over. */
  readonly adjustments: readonly PriceAdjustmentJson[];
}

/** Ends a discount or a mark-up, after it has said which price applies then. */
export function PriceEnd({
  workspace,
  adjustment: { model, change_percent: percent },
  adjustments,
}: PriceEndProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => adjustPrices(workspace, { ...(model === null ? {} : { model }), change_percent: null }),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`Ended. New requests of ${nameOf(model)} pay ${then}.`);
      await queries.invalidateQueries({ queryKey: ['workspace', workspace] });
    },
  });
  const then = thenWords(model, adjustments);
  return (
    <>
      <Button kind="quiet" aria-label={`End the price of ${nameOf(model)}`} onClick={() => setIsOpen(true)}>
        End
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`End ${changeWords(percent) ?? 'the list price'} for ${nameOf(model)}?`}
        action="End price"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4 whitespace-normal">
          New requests pay {then}, within a second. Receipts keep the price that they were charged at.
        </p>
        <CommandLine command={workspaceCommand.price(workspace, model, null)} />
      </ConfirmDialog>
    </>
  );
}

const nameOf = (model: string | null): string => model ?? 'all models';

/** The price that applies once this adjustment has ended. */
function thenWords(model: string | null, adjustments: readonly PriceAdjustmentJson[]): string {
  const wider = adjustments.find((each) => each.model === null && each.ended_at === null);
  if (model === null || wider === undefined) return 'the list price';
  return changeWords(wider.change_percent) ?? 'the list price';
}
