import type { ReactNode } from 'react';
import type {
  CatalogueModelJson,
  ModelPriceJson,
  RouteCostJson,
} from '../../../../src/control/admin/catalogue/model-contract.ts';
import { formatCount } from '../../format/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Table } from '../../ui/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { Fees, Rate } from './price-columns.tsx';

/** A tier of a price or a cost, as a row. */
interface TierRow {
  readonly key: string;
  readonly name: string;
  readonly tiers: ModelPriceJson['tiers'];
  readonly tier: number;
  /** They stand with the first tier alone. */
  readonly fees: ModelPriceJson['fees'];
  readonly from: string;
  readonly to: string | null;
}

interface PriceHistoryProps {
  readonly model: CatalogueModelJson;
  readonly onClose: () => void;
}

/** All price versions of a model, and what its providers have asked. */
export function PriceHistory({ model: { id, history, costs }, onClose }: PriceHistoryProps): ReactNode {
  return (
    <Sheet open title={id} description="List prices for a million tokens, the newest first." onClose={onClose}>
      <Section title="Price versions">
        <Table
          label={`Price versions of ${id}`}
          columns={columnsWith('Version')}
          rows={history.flatMap((price) => rowsOf(`Version ${price.version}`, price))}
          rowKey={({ key }) => key}
          empty={<EmptyState cause="This model has never had a price." />}
        />
      </Section>
      <Section title="What providers ask">
        <Table
          label={`Costs of ${id}`}
          columns={columnsWith('Route')}
          rows={costs.flatMap((cost) => rowsOf(`${cost.provider}/${cost.upstream_model}`, cost))}
          rowKey={({ key }) => key}
          empty={
            <EmptyState
              cause="Its costs are not known."
              detail="Give its routes a cost in the config file to see margins."
            />
          }
        />
      </Section>
    </Sheet>
  );
}

type Priced = Pick<ModelPriceJson | RouteCostJson, 'tiers' | 'fees' | 'from' | 'to'>;

function rowsOf(name: string, { tiers, fees, from, to }: Priced): readonly TierRow[] {
  return tiers.map(({ above_input_tokens: above }, tier) => {
    const size = above === 0 ? '' : ` above ${formatCount(above)}`;
    return { key: `${name} ${from} ${above}`, name: name + size, tiers, tier, fees: tier === 0 ? fees : [], from, to };
  });
}

function columnsWith(header: string): readonly Column<TierRow>[] {
  return [
    {
      id: 'name',
      header,
      cell: ({ name, fees }) => (
        <span className="block">
          {name}
          <Fees fees={fees} />
        </span>
      ),
    },
    {
      id: 'input',
      header: 'Input',
      align: 'end',
      cell: ({ tiers, tier }) => <Rate tiers={tiers} tier={tier} of="input" />,
    },
    {
      id: 'output',
      header: 'Output',
      align: 'end',
      cell: ({ tiers, tier }) => <Rate tiers={tiers} tier={tier} of="output" />,
    },
    { id: 'from', header: 'From', cell: ({ from }) => <Timestamp at={from} daysAlone /> },
    { id: 'to', header: 'To', cell: ({ to }) => <Timestamp at={to} none="now" daysAlone /> },
  ];
}
