import type { ReactNode } from 'react';
import type { CatalogueModelJson, ModelPriceJson } from '../../../src/admin/catalogue/model-contract.ts';
import { adjustedRate } from '../../../src/domain/price-adjustment.ts';
import { formatNumberOf } from '../format/count.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Money } from '../ui/money.tsx';
import { StatusWord } from '../ui/status-word.tsx';
import { Table } from '../ui/table.tsx';
import type { Column } from '../ui/table-types.ts';

type TokenClass = ModelPriceJson['tiers'][number]['rates'][number]['class'];

const SHOWN_MAX = 50;

interface PricePreviewProps {
  /** Models on sale at list prices; undefined while they load. */
  readonly models: readonly CatalogueModelJson[] | undefined;
  /** Hundredths of a percent; null while none is typed. */
  readonly basisPoints: number | null;
}

/** What a million tokens cost by list and then, by the rule that the instance applies. */
export function PricePreview({ models, basisPoints }: PricePreviewProps): ReactNode {
  const rows = models?.slice(0, SHOWN_MAX);
  const more = (models?.length ?? 0) - SHOWN_MAX;
  const hasFees = models?.some(({ price }) => price.fees.length > 0) === true;
  return (
    <div>
      <Table
        label="Prices that follow"
        columns={columnsOf(basisPoints)}
        rows={rows}
        rowKey={({ id }) => id}
        expectedRows={2}
        empty={
          <EmptyState cause="No model’s price changes." detail="Each model on sale has a price of its own here." />
        }
      />
      <p className="mt-2 text-meta text-text-3">
        {more > 0 && `And ${formatNumberOf(more, 'model')} more. `}
        List prices and what follows from them, in USD for a million tokens. Rates of other tokens and of longer inputs
        {hasFees && ', and fees,'} change alike.
      </p>
    </div>
  );
}

function rateOf({ tiers }: Pick<ModelPriceJson, 'tiers'>, tokenClass: TokenClass): bigint {
  return BigInt(tiers[0]?.rates.find((rate) => rate.class === tokenClass)?.rate_nano_usd ?? '0');
}

function columnsOf(basisPoints: number | null): readonly Column<CatalogueModelJson>[] {
  const column = (header: string, tokenClass: TokenClass): Column<CatalogueModelJson> => ({
    id: tokenClass,
    header,
    align: 'end',
    cell: (model) => (
      <span className="inline-flex items-baseline gap-1.5">
        <Money amount={rateOf(model.price, tokenClass)} className="text-text-3" />
        {basisPoints !== null && (
          <>
            <span className="text-text-3">to</span>
            <Then model={model} tokenClass={tokenClass} basisPoints={basisPoints} />
          </>
        )}
      </span>
    ),
  });
  return [
    { id: 'model', header: 'Model', cell: ({ id }) => id, grow: true },
    column('Input', 'input'),
    column('Output', 'output'),
  ];
}

interface ThenProps {
  readonly model: CatalogueModelJson;
  readonly tokenClass: TokenClass;
  readonly basisPoints: number;
}

/** The rate that would apply, marked if a provider asks more. */
function Then({ model, tokenClass, basisPoints }: ThenProps): ReactNode {
  const rate = adjustedRate(rateOf(model.price, tokenClass), basisPoints);
  const costs = model.costs.filter(({ to }) => to === null).map((cost) => rateOf(cost, tokenClass));
  const isBelowCost = costs.some((cost) => cost > rate);
  return (
    <span className="inline-flex flex-col items-end py-1.5">
      <Money amount={rate} className="font-medium" />
      {isBelowCost && (
        <span className="text-meta">
          <StatusWord status="low">below cost</StatusWord>
        </span>
      )}
    </span>
  );
}
