import type { ReactNode } from 'react';
import type { PriceAdjustmentJson } from '../../../src/control/admin/catalogue/price-contract.ts';
import { adjustPrices } from '../api/prices.ts';
import { changeWords } from '../components/price-change.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { priceCommand } from '../components/price-command.ts';

interface PriceEndProps {
  readonly workspace: string;
  readonly adjustment: PriceAdjustmentJson;
  /** All adjustments of the workspace; the one for all models takes over. */
  readonly adjustments: readonly PriceAdjustmentJson[];
}

/** Ends a discount or a mark-up, after it has said which price applies then. */
export function PriceEnd({
  workspace,
  adjustment: { model, change_percent: percent },
  adjustments,
}: PriceEndProps): ReactNode {
  const name = model ?? 'all models';
  const then = thenWords(model, adjustments);
  return (
    <ConfirmAction
      kind="quiet"
      label="End"
      aria-label={`End the price of ${name}`}
      title={`End ${changeWords(percent) ?? 'the list price'} for ${name}?`}
      action="End price"
      command={priceCommand(workspace, model, null)}
      send={() => adjustPrices(workspace, { ...(model === null ? {} : { model }), change_percent: null })}
      done={() => `Ended. New requests of ${name} pay ${then}.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace] })}
    >
      {`New requests pay ${then}, within a second. Receipts keep the price that they were charged at.`}
    </ConfirmAction>
  );
}

/** The price that applies once this adjustment has ended. */
function thenWords(model: string | null, adjustments: readonly PriceAdjustmentJson[]): string {
  const wider = adjustments.find((each) => each.model === null && each.ended_at === null);
  if (model === null || wider === undefined) return 'the list price';
  return changeWords(wider.change_percent) ?? 'the list price';
}
