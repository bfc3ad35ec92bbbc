import type { ReactNode } from 'react';
import type { ModelPriceJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Table } from '../../ui/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { priceChanges, rateOf } from './price-words.ts';

/** A price and what it changed. */
interface Step {
  readonly price: ModelPriceJson;
  readonly changes: readonly string[];
}

/** All prices of a model, the newest first, with the moments from which they applied and what each changed. */
export function PriceHistory({ history }: { readonly history: readonly ModelPriceJson[] }): ReactNode {
  const steps = history.map((price, at) => ({ price, changes: priceChanges(price, history[at + 1]) }));
  return (
    <Table
      label="Price history"
      columns={stepColumns(steps)}
      rows={steps}
      rowKey={({ price: { from } }) => from}
      empty={null}
    />
  );
}

function stepColumns(steps: readonly Step[]): readonly Column<Step>[] {
  const rateColumn = (header: string, name: 'input' | 'cached_input' | 'output'): Column<Step> =>
    moneyColumn(name, header, ({ price }) => rateOf(price.tiers[0], name), { rows: steps, exact: true, from: 'md' });
  return [
    { id: 'from', header: 'From', cell: ({ price: { from } }) => <Timestamp at={from} /> },
    { id: 'to', header: 'To', cell: ({ price: { to } }) => <Timestamp at={to} none="still applies" /> },
    { id: 'changes', header: 'What changed', cell: ({ changes }) => <Changes changes={changes} /> },
    rateColumn('Input', 'input'),
    rateColumn('Cached', 'cached_input'),
    rateColumn('Output', 'output'),
  ];
}

function Changes({ changes }: { readonly changes: readonly string[] }): ReactNode {
  if (changes.length === 0) return <span className="text-text-3">first price shown</span>;
  return (
    <ul className="py-2 whitespace-normal">
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}
