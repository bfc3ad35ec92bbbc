import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PriceAdjustmentJson } from '../../../../src/control/admin/catalogue/price-contract.ts';
import { adjustmentsQuery } from '../../api/prices.ts';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { changeWords } from '../../components/price-change.ts';
import { PriceEnd } from '../../forms/price-end.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, statusColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

interface WorkspacePricesProps {
  readonly workspace: string;
  /** Opens the form, for a model if one is given. */
  readonly onAdjust: (model?: string) => void;
}

/** The discounts and mark-ups of a workspace, past ones included. */
export function WorkspacePrices({ workspace, onAdjust }: WorkspacePricesProps): ReactNode {
  const adjustments = useInfiniteQuery(adjustmentsQuery(workspace));
  const rows = rowsOf(adjustments);
  // Those in force come first; each part stays in its order, the newest first.
  const sorted = rows?.toSorted((one, other) => Number(one.ended_at !== null) - Number(other.ended_at !== null));
  const changeButton = <Button onClick={() => onAdjust()}>Change prices</Button>;
  return (
    <Section
      title="Prices"
      lead={
        <>
          Discounts and mark-ups on the <TextLink href={paths.operatorPrices()}>list prices</TextLink>. A model’s own
          goes before that for all models.
        </>
      }
      actions={rows?.length === 0 ? undefined : changeButton}
    >
      <ListTable
        list={adjustments}
        label="Discounts and mark-ups"
        columns={columnsOf(workspace, rows ?? [], onAdjust)}
        rows={sorted}
        expectedRows={2}
        empty={<EmptyState cause="This workspace pays list prices, and always has." action={changeButton} />}
      />
    </Section>
  );
}

function columnsOf(
  workspace: string,
  adjustments: readonly PriceAdjustmentJson[],
  onAdjust: (model?: string) => void,
): readonly Column<PriceAdjustmentJson>[] {
  return [
    { id: 'model', header: 'Model', cell: ({ model }) => model ?? 'All models without their own', grow: true },
    { id: 'change', header: 'Price', cell: ({ change_percent: percent }) => changeWords(percent) ?? 'list price' },
    statusColumn(({ ended_at: at }) => (at === null ? ['open', 'in force'] : ['off', 'ended']), { from: 'md' }),
    { id: 'from', header: 'From', cell: ({ started_at: at }) => <Timestamp at={at} daysAlone /> },
    { id: 'to', header: 'To', cell: ({ ended_at: at }) => <Timestamp at={at} none="still applies" daysAlone /> },
    actionsColumn(
      (adjustment) =>
        adjustment.ended_at === null && (
          <span className="inline-flex gap-1">
            <Button
              kind="quiet"
              aria-label={`Change the price of ${adjustment.model ?? 'all models'}`}
              onClick={() => onAdjust(adjustment.model ?? undefined)}
            >
              Change
            </Button>
            <PriceEnd workspace={workspace} adjustment={adjustment} adjustments={adjustments} />
          </span>
        ),
    ),
  ];
}
