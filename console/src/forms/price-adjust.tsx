import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CatalogueModelJson } from '../../../src/control/admin/catalogue/model-contract.ts';
import type { PriceAdjustmentJson } from '../../../src/control/admin/catalogue/price-contract.ts';
import { parsePercent } from '../../../src/domain/price-adjustment.ts';
import { catalogueQuery } from '../api/catalogue.ts';
import { adjustmentsQuery, adjustPrices } from '../api/prices.ts';
import { changeWords } from '../components/price-change.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { Select } from '../ui/select.tsx';
import { ParamField } from './param-field.tsx';
import { PricePreview } from './price-preview.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';
import { priceCommand } from '../components/price-command.ts';

interface PriceAdjustProps {
  readonly workspace: { readonly id: string; readonly name: string };
  /** The model that it begins with; null: all models. */
  readonly model: string | null;
  readonly onClose: () => void;
}

const WAYS = [
  { value: 'discount', label: 'Discount' },
  { value: 'markup', label: 'Mark-up' },
  { value: 'list', label: 'List price' },
] as const;

export type Way = (typeof WAYS)[number]['value'];

/** The percentage that was typed, as the API has it; null if it is none. */
export function percentOf(way: Way, typed: string): string | null {
  if (way === 'list') return '0';
  const text = typed.trim().replace(/\s*%$/, '');
  if (text === '' || text.startsWith('-')) return null;
  const percent = way === 'discount' ? `-${text}` : text;
  return parsePercent(percent) === null ? null : percent;
}

/** Gives a workspace a discount or a mark-up, and shows the prices that follow from it before it applies. */
export function PriceAdjust({ workspace, model: given, onClose }: PriceAdjustProps): ReactNode {
  const [model, setModel] = useState(given ?? '');
  const [way, setWay] = useState<Way>('discount');
  const [typed, setTyped] = useState('');
  const catalogue = useQuery(catalogueQuery);
  const adjustments = useInfiniteQuery(adjustmentsQuery(workspace.id)).data?.pages.flatMap(({ data }) => data);
  const percent = percentOf(way, typed);
  const onSale = catalogue.data?.data.filter(({ on_sale: isOnSale }) => isOnSale);
  return (
    <ResourceForm
      title="Change prices"
      description={`Of ${workspace.name}. New requests pay them within a second; receipts keep theirs.`}
      onClose={onClose}
      dirty={typed !== ''}
      action="Apply prices"
      unavailable={percent === null ? 'Type a percentage first.' : null}
      command={priceCommand(
        workspace.id,
        model === '' ? null : model,
        percent ?? (way === 'discount' ? '-PERCENT' : 'PERCENT'),
      )}
      send={() => adjustPrices(workspace.id, { ...(model === '' ? {} : { model }), change_percent: percent })}
      done={({ change_percent: change }) => {
        const words = changeWords(change) ?? 'the list price';
        return `${workspace.name} pays ${words} for ${model === '' ? 'all models' : model}, for new requests.`;
      }}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace.id] })}
    >
      <ParamField param="model" label="Model">
        <Select value={model} onChange={setModel} options={optionsOf(onSale ?? [], given)} />
      </ParamField>
      <RadioGroup label="What it pays" options={WAYS} value={way} onChange={setWay} inline />
      {way !== 'list' && (
        <TextField
          param="change_percent"
          label={way === 'discount' ? 'Percent below list' : 'Percent above list'}
          help={`Up to ${way === 'discount' ? 100 : 900}, with at most two decimals, such as 12.5.`}
          problem={problemWith(typed, percent)}
          value={typed}
          onChange={setTyped}
          inputMode="decimal"
        />
      )}
      <ProblemPanel error={catalogue.error} onRetry={() => void catalogue.refetch()} />
      <PricePreview
        models={affectedBy(model, onSale, adjustments)}
        basisPoints={percent === null ? null : parsePercent(percent)}
      />
    </ResourceForm>
  );
}

function optionsOf(onSale: readonly CatalogueModelJson[], given: string | null) {
  const known = onSale.map(({ id }) => ({ value: id, label: id, group: 'A model' }));
  const isKnown = given === null || onSale.some(({ id }) => id === given);
  return [
    { value: '', label: 'All models without a price of their own' },
    ...(isKnown ? [] : [{ value: given, label: given, group: 'A model' }]),
    ...known,
  ];
}

function problemWith(typed: string, percent: string | null): string | null {
  return typed.trim() === '' || percent !== null
    ? null
    : 'Write a number of percent with at most two decimals, such as 12.5.';
}

/** The models with changed prices; undefined while they are loading. */
export function affectedBy(
  model: string,
  onSale: readonly CatalogueModelJson[] | undefined,
  adjustments: readonly PriceAdjustmentJson[] | undefined,
): readonly CatalogueModelJson[] | undefined {
  if (model !== '') return onSale?.filter(({ id }) => id === model);
  if (adjustments === undefined) return undefined;
  const own = new Set(adjustments.filter(({ ended_at: ended }) => ended === null).map((each) => each.model));
  return onSale?.filter(({ id }) => !own.has(id));
}
