import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OfferJson, ProviderProbeJson } from '../../../src/control/admin/offer/offer-contract.ts';
import { formatPercent } from '../../../src/domain/price-adjustment.ts';
import { type Declaration, offerQuery, providerModelsQuery, reloadOffer, storeModel } from '../api/offer.ts';
import { markupOf, priceAt, rateIn } from '../components/markup-price.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { formatNumberOf } from '../format/count.ts';
import { Banner } from '../ui/banner.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Money } from '../ui/money.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Column } from '../ui/table-types.ts';
import { Table } from '../ui/table.tsx';
import { type CostEntry, declaredBy, ModelCostFields, NO_COST } from './model-cost-fields.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';

interface ModelsSellProps {
  /** Whose models are sold. */
  readonly provider: string;
  readonly onClose: () => void;
}

type Listed = ProviderProbeJson['models'][number];
interface Sellable {
  readonly id: string;
  readonly declaration: Declaration;
}

/** Chooses models of a provider's own list, and sells them at their cost and a mark-up. */
export function ModelsSell({ provider, onClose }: ModelsSellProps): ReactNode {
  const probe = useQuery(providerModelsQuery(provider));
  const offer = useQuery(offerQuery);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [costs, setCosts] = useState<Readonly<Record<string, CostEntry>>>({});
  const [typed, setTyped] = useState('10');
  const markup = markupOf(typed);
  const wanted = probe.data?.models.filter(({ id }) => chosen.includes(id)) ?? [];
  const unknown = wanted.filter(({ declaration }) => declaration === null);
  const sold = wanted.flatMap(({ id, declaration }): readonly Sellable[] => {
    const known = declaration ?? declaredBy(provider, id, costs[id] ?? NO_COST);
    return known === null ? [] : [{ id, declaration: known }];
  });
  const stored = offer.data?.models ?? [];
  return (
    <ResourceForm
      title={`Sell models of ${provider}`}
      description="At what the provider asks, and a mark-up. The prices that follow are below."
      onClose={onClose}
      dirty={chosen.length > 0}
      action="Put on sale"
      unavailable={wanted.length === 0 ? 'Choose a model first.' : markup === null ? MARKUP_HELP : null}
      maySend={() => sold.length === wanted.length}
      send={async () => {
        for (const model of sold) await sell(model, stored, formatPercent(markup ?? 0));
        return sold.length;
      }}
      done={(count) => `${formatNumberOf(count, 'model')} stored: on sale in a moment, or once the prices are applied.`}
      reload={reloadOffer}
    >
      <ProblemPanel error={probe.error ?? offer.error} onRetry={() => void probe.refetch()} />
      {probe.data === undefined && probe.error === null && <Skeleton className="h-40" />}
      {probe.data !== undefined && probe.data.problem !== null && (
        <Banner tone="warn">{`${provider} gives no list of its models: ${probe.data.problem}.`}</Banner>
      )}
      {probe.data?.problem === null && (
        <>
          <ModelChoice listed={probe.data.models} chosen={chosen} onChange={setChosen} />
          {unknown.map(({ id }) => (
            <ModelCostFields
              key={id}
              model={id}
              entry={costs[id] ?? NO_COST}
              onChange={(entry) => setCosts({ ...costs, [id]: entry })}
            />
          ))}
          <TextField
            param="markup"
            label="Mark-up in percent"
            help="Up to 900, with at most two decimals. The price follows the cost, rounded up to one nano-USD."
            problem={markup === null && typed.trim() !== '' ? MARKUP_HELP : null}
            value={typed}
            onChange={setTyped}
            inputMode="decimal"
          />
          <Table
            label="Prices that follow"
            columns={columnsAt(markup)}
            rows={sold}
            rowKey={({ id }) => id}
            empty={
              <EmptyState cause={unknown.length === 0 ? 'No model is chosen.' : 'Type the costs to see the prices.'} />
            }
          />
          <p className="text-meta text-text-3">
            {`In USD for a million tokens.${probe.data.prices_from === null ? '' : ` Known costs are those of ${probe.data.prices_from}: compare them with the provider’s own.`}`}
          </p>
        </>
      )}
    </ResourceForm>
  );
}

const MARKUP_HELP = 'Enter percents from 0 to 900, such as 10 or 12.5.';

/** A model that is stored already gets one more route. */
async function sell({ id, declaration }: Sellable, stored: OfferJson['models'], markup: string): Promise<void> {
  const former = stored.find((model) => model.id === id && model.source === 'database');
  const own = routesIn(declaration);
  const others = routesIn(former?.declaration ?? {}).filter(
    ({ provider, model }) => !own.some((route) => route['provider'] === provider && route['model'] === model),
  );
  const routes = [...others, ...own];
  await storeModel(id, former?.version ?? 0, { ...declaration, ...former?.declaration, routes, markup: `${markup}%` });
}

function routesIn({ routes }: Declaration): readonly Declaration[] {
  return Array.isArray(routes) ? (routes as readonly Declaration[]) : [];
}

interface ModelChoiceProps {
  readonly listed: readonly Listed[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const SHOWN_MAX = 100;

function ModelChoice({ listed, chosen, onChange }: ModelChoiceProps): ReactNode {
  const [search, setSearch] = useState('');
  const found = listed.filter(({ id }) => id.toLowerCase().includes(search.trim().toLowerCase()));
  const toggle = (id: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-control font-medium">Models that it lists</legend>
      {listed.length > 10 && <SearchInput label="Search its models" value={search} onChange={setSearch} />}
      <div className="flex max-h-64 flex-col gap-2 overflow-auto p-1">
        {found.slice(0, SHOWN_MAX).map(({ id, declaration }) => (
          <Checkbox
            key={id}
            label={id}
            checked={chosen.includes(id)}
            onChange={(isChosen) => toggle(id, isChosen)}
            help={declaration === null ? 'What it costs you is not known here: you type it.' : undefined}
          />
        ))}
      </div>
      {found.length > SHOWN_MAX && (
        <p className="text-meta text-text-3">{`And ${formatNumberOf(found.length - SHOWN_MAX, 'model')} more: search for them.`}</p>
      )}
    </fieldset>
  );
}

function columnsAt(markup: number | null): readonly Column<Sellable>[] {
  const column = (header: string, tokenClass: 'input' | 'output'): Column<Sellable> => ({
    id: tokenClass,
    header,
    align: 'end',
    cell: ({ declaration }) => (
      <Price cost={routesIn(declaration)[0]?.['cost']} tokenClass={tokenClass} markup={markup} />
    ),
  });
  return [
    { id: 'model', header: 'Model', cell: ({ id }) => id, grow: true },
    column('Input', 'input'),
    column('Output', 'output'),
  ];
}

interface PriceProps {
  readonly cost: unknown;
  readonly tokenClass: 'input' | 'output';
  readonly markup: number | null;
}

/** What a provider asks, and what callers pay. */
function Price({ cost, tokenClass, markup }: PriceProps): ReactNode {
  const rate = rateIn(cost, tokenClass);
  const price = priceAt(rate, markup);
  if (rate === null) return null;
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Money exact amount={rate} className="text-text-3" />
      {price !== null && (
        <>
          <span className="text-text-3">to</span>
          <Money exact amount={price} className="font-medium" />
        </>
      )}
    </span>
  );
}
