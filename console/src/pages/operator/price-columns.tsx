import type { ReactNode } from 'react';
import type { CatalogueModelJson, ModelPriceJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { USE_WORDS } from '../../components/fee-words.ts';
import { formatCount } from '../../format/count.ts';
import { statusColumn } from '../../ui/columns.tsx';
import { Money } from '../../ui/money.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

type Tiers = ModelPriceJson['tiers'];
type RateClass = Tiers[number]['rates'][number]['class'];

const DECIMALS = 4;

interface RateProps {
  readonly tiers: Tiers;
  readonly of: RateClass;
  readonly tier?: number;
  /** It is part of a line of words, not of a column of amounts. */
  readonly inLine?: boolean;
}

/** What a class of tokens costs in a tier; by default in the first one. */
export function Rate({ tiers, of, tier = 0, inLine = false }: RateProps): ReactNode {
  const rate = tiers[tier]?.rates.find((each) => each.class === of);
  return <Money exact amount={rate?.rate_nano_usd ?? null} none="none" decimals={inLine ? undefined : DECIMALS} />;
}

/** The fees in addition to tokens, one a line. */
export function Fees({ fees }: Pick<ModelPriceJson, 'fees'>): ReactNode {
  if (fees.length === 0) return null;
  return (
    <span className="block font-normal">
      {fees.map(({ use, fee_nano_usd: fee }) => (
        <span key={use} className="block">
          <span className="text-text-3">per {USE_WORDS[use]} </span>
          <Money exact amount={fee} />
        </span>
      ))}
    </span>
  );
}

/** The present costs of a model's routes, one below the other. */
function Costs({ model: { costs } }: { readonly model: CatalogueModelJson }): ReactNode {
  const present = costs.filter(({ to }) => to === null);
  if (present.length === 0) return <span className="text-text-3">not known</span>;
  return present.map(({ provider, upstream_model: upstream, tiers }) => (
    <span key={`${provider}/${upstream}`} className="block">
      <span className="text-text-3">{provider} </span>
      <Rate tiers={tiers} of="input" inLine /> / <Rate tiers={tiers} of="output" inLine />
    </span>
  ));
}

const FEE_COLUMN: Column<CatalogueModelJson> = {
  id: 'fees',
  header: 'Fees',
  align: 'end',
  from: 'lg',
  cell: ({ price }) => <Fees fees={price.fees} />,
};

/** The columns of a list of these models; fees have one if any model has some. */
export const priceColumns = (models: readonly CatalogueModelJson[]): readonly Column<CatalogueModelJson>[] => [
  { id: 'model', header: 'Model', cell: ({ id }) => id, grow: true },
  { id: 'input', header: 'Input', align: 'end', cell: ({ price }) => <Rate tiers={price.tiers} of="input" /> },
  {
    id: 'cached',
    header: 'Cached input',
    align: 'end',
    from: 'lg',
    cell: ({ price }) => <Rate tiers={price.tiers} of="cached_input" />,
  },
  { id: 'output', header: 'Output', align: 'end', cell: ({ price }) => <Rate tiers={price.tiers} of="output" /> },
  ...(models.some(({ price }) => price.fees.length > 0) ? [FEE_COLUMN] : []),
  { id: 'cost', header: 'Cost, input / output', from: 'lg', align: 'end', cell: (model) => <Costs model={model} /> },
  { id: 'version', header: 'Version', align: 'end', from: 'md', cell: ({ price }) => formatCount(price.version) },
  { id: 'since', header: 'Since', from: 'xl', cell: ({ price }) => <Timestamp at={price.from} daysAlone /> },
  statusColumn(({ on_sale: isOnSale }) => (isOnSale ? ['open', 'on sale'] : ['off', 'not on sale'])),
];
