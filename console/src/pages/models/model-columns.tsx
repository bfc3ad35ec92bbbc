import type { ReactNode } from 'react';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import type { TokenClass } from '../../../../src/domain/usage.ts';
import { countColumn, moneyColumn, timeColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Tag } from '../../ui/tag.tsx';
import { capabilitiesOf, CAPABILITY_WORDS } from './model-list.ts';
import { adjustmentWords, rateOf, tierWords } from './price-words.ts';

/** The columns of a list of these models; what none of them has gets none. */
export function modelColumns(models: readonly ModelJson[], isFormer: boolean): readonly Column<ModelJson>[] {
  const priceOf = (header: string, name: TokenClass, more: Pick<Column<ModelJson>, 'sort' | 'from'>) =>
    moneyColumn<ModelJson>(name, header, ({ price }) => rateOf(price.tiers[0], name), { rows: models, ...more });
  const columns: readonly (Column<ModelJson> | null)[] = [
    { id: 'id', header: 'Model', sort: 'id', grow: true, cell: ({ id }) => <span className="font-mono">{id}</span> },
    isFormer ? timeColumn('retired', 'Off sale since', ({ retired_at: at }) => at, { none: 'has no route' }) : null,
    { id: 'kind', header: 'Kind', cell: ({ kind }) => kind, from: 'md' },
    models.some((model) => capabilitiesOf(model).length > 0)
      ? { id: 'capabilities', header: 'Capabilities', cell: (model) => <Capabilities model={model} />, from: 'xl' }
      : null,
    countColumn('context', 'Context', ({ context_window: tokens }) => tokens, { sort: 'context', from: 'xl' }),
    countColumn('max-output', 'Max output', ({ max_output: tokens }) => tokens || null, { from: 'xl' }),
    models.some((model) => particularsOf(model).length > 0)
      ? { id: 'particulars', header: 'Your price', cell: (model) => <Tags words={particularsOf(model)} />, from: 'md' }
      : null,
    priceOf('Input', 'input', { sort: 'input' }),
    priceOf('Cached', 'cached_input', { from: 'md' }),
    priceOf('Output', 'output', { sort: 'output' }),
  ];
  return columns.filter((column) => column !== null);
}

function Capabilities({ model }: { readonly model: ModelJson }): ReactNode {
  return <Tags words={capabilitiesOf(model).map((capability) => CAPABILITY_WORDS[capability])} />;
}

/** What the rates of the list alone don't say. */
function particularsOf({ price }: ModelJson): readonly string[] {
  const [, longer] = price.tiers;
  const adjustment = adjustmentWords(price);
  const tier = longer === undefined ? null : tierWords(longer);
  const fees = price.fees.length === 0 ? null : 'with fees';
  return [adjustment, tier === null ? null : `other ${tier}`, fees].filter((words) => words !== null);
}

function Tags({ words }: { readonly words: readonly string[] }): ReactNode {
  if (words.length === 0) return null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {words.map((each) => (
        <Tag key={each}>{each}</Tag>
      ))}
    </span>
  );
}
