import type { ReactNode } from 'react';
import type { CatalogueModelJson, ModelPriceJson } from '../../../src/control/admin/catalogue/model-contract.ts';
import { adjustedRate } from '../../../src/domain/price-adjustment.ts';
import { USE_WORDS } from '../components/fee-words.ts';
import { formatNumberOf } from '../format/count.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Money } from '../ui/money.tsx';
import { StatusWord } from '../ui/status-word.tsx';
import type { Column } from '../ui/table-types.ts';
import { Table } from '../ui/table.tsx';

type TokenClass = ModelPriceJson['tiers'][number]['rates'][number]['class'];
type UseClass = ModelPriceJson['fees'][number]['use'];

const SHOWN_MAX = 50;

interface PricePreviewProps {
  /** Models on sale at list prices; undefined while they load. */
  readonly models: readonly CatalogueModelJson[] | undefined;
  /** Hundredths of a percent; null while none is typed. */
  readonly basisPoints: number | null;
}

/** What a million tokens, and each use of a tool, cost by list and then, by the rule that the instance applies. */
export function PricePreview({ models, basisPoints }: PricePreviewProps): ReactNode {
  const rows = models?.slice(0, SHOWN_MAX);
  const more = (models?.length ?? 0) - SHOWN_MAX;
  const fees = rows?.flatMap(feeRowsOf) ?? [];
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
      {fees.length > 0 && (
        <div className="mt-4">
          <Table
            label="Fees that follow"
            columns={feeColumnsOf(basisPoints)}
            rows={fees}
            rowKey={({ model, use }) => `${model} ${use}`}
            empty={null}
          />
        </div>
      )}
      <p className="mt-2 text-meta text-text-3">
        {more > 0 && `And ${formatNumberOf(more, 'model')} more. `}
        List prices and what follows from them, in USD for a million tokens
        {fees.length > 0 && ', or for each use'}. Rates of other tokens and of longer inputs change alike.
      </p>
    </div>
  );
}

function rateOf({ tiers }: Pick<ModelPriceJson, 'tiers'>, tokenClass: TokenClass): bigint {
  return BigInt(tiers[0]?.rates.find((rate) => rate.class === tokenClass)?.rate_nano_usd ?? '0');
}

/** What the model's routes cost at present. */
function presentCosts({ costs }: CatalogueModelJson): CatalogueModelJson['costs'] {
  return costs.filter(({ to }) => to === null);
}

const MODEL = 'Model';

function columnsOf(basisPoints: number | null): readonly Column<CatalogueModelJson>[] {
  const column = (header: string, tokenClass: TokenClass): Column<CatalogueModelJson> => ({
    id: tokenClass,
    header,
    align: 'end',
    cell: (model) => (
      <Change
        listed={rateOf(model.price, tokenClass)}
        costs={presentCosts(model).map((cost) => rateOf(cost, tokenClass))}
        basisPoints={basisPoints}
      />
    ),
  });
  return [
    { id: 'model', header: MODEL, cell: ({ id }) => id, grow: true },
    column('Input', 'input'),
    column('Output', 'output'),
  ];
}

/** A fee of a model. */
interface FeeRow {
  readonly model: string;
  readonly use: UseClass;
  readonly listed: bigint;
  /** What its routes ask for the same. */
  readonly costs: readonly bigint[];
}

function feeRowsOf(model: CatalogueModelJson): readonly FeeRow[] {
  return model.price.fees.map(({ use, fee_nano_usd: fee }) => ({
    model: model.id,
    use,
    listed: BigInt(fee),
    costs: presentCosts(model).flatMap(({ fees }) =>
      fees.filter((each) => each.use === use).map((each) => BigInt(each.fee_nano_usd)),
    ),
  }));
}

function feeColumnsOf(basisPoints: number | null): readonly Column<FeeRow>[] {
  return [
    { id: 'model', header: MODEL, cell: ({ model }) => model, grow: true },
    { id: 'use', header: 'Beside tokens', cell: ({ use }) => `per ${USE_WORDS[use]}` },
    {
      id: 'fee',
      header: 'Fee',
      align: 'end',
      cell: ({ listed, costs }) => <Change listed={listed} costs={costs} basisPoints={basisPoints} />,
    },
  ];
}

interface ChangeProps {
  /** The amount by list. */
  readonly listed: bigint;
  /** What providers ask for the same. */
  readonly costs: readonly bigint[];
  readonly basisPoints: number | null;
}

/** An amount by list, and the one that would apply, which is marked if a provider asks more. */
function Change({ listed, costs, basisPoints }: ChangeProps): ReactNode {
  const then = basisPoints === null ? null : adjustedRate(listed, basisPoints);
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Money exact amount={listed} className="text-text-3" />
      {then !== null && (
        <>
          <span className="text-text-3">to</span>
          <span className="inline-flex flex-col items-end py-1.5">
            <Money exact amount={then} className="font-medium" />
            {costs.some((cost) => cost > then) && (
              <span className="text-meta">
                <StatusWord status="low">below cost</StatusWord>
              </span>
            )}
          </span>
        </>
      )}
    </span>
  );
}
