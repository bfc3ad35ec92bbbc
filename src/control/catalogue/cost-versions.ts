import { isDeepStrictEqual } from 'node:util';
import type { Price, Rates, TierPrice } from '../../domain/price.ts';
import { inEachTier, type ServiceTier } from '../../domain/service-tier.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { CatalogueChange, OfferedModel } from './catalogue-diff.ts';
import { decodeFees, decodeRates, encodeFees, encodeRates, type StoredRates } from './terms.ts';
import { changedFields, type Fields, priceFields } from './changed-fields.ts';

// What providers ask for routes, as versions that never change, so that what requests cost can be added up again. No caller
// pays by them: only usage reads them, for the operator.

/** What a route costs; a route is named as receipts name it. */
interface RouteCost {
  readonly model: string;
  readonly provider: string;
  readonly upstreamModel: string;
  readonly cost: Price;
}

export interface CostVersion extends RouteCost {
  readonly from: Date;
  /** Null: it is in force. */
  readonly to: Date | null;
}

const RATES = TOKEN_CLASSES.map((tokenClass) => `${tokenClass}_rate`);
/** With the time of a version to the microsecond, as which it differs from others of its route. */
const COLUMNS = `model, provider, upstream_model, created_at::text as version, created_at, retired_at, input_from, fees, service_tiers, ${RATES.join(', ')}`;

type Row = Readonly<Record<(typeof RATES)[number], bigint>> & {
  readonly model: string;
  readonly provider: string;
  readonly upstream_model: string;
  readonly version: string;
  readonly created_at: Date;
  readonly retired_at: Date | null;
  readonly input_from: number;
  /** The same on all rows of a version. */
  readonly fees: Readonly<Record<string, string>> | null;
  /** For its number of input tokens. */
  readonly service_tiers: Readonly<Partial<Record<ServiceTier, StoredRates>>> | null;
};

/** The costs in force. */
export async function readActiveCosts(sql: SqlRunner): Promise<readonly CostVersion[]> {
  return versionsOf(
    await sql.query<Row>(
      `select ${COLUMNS} from cost_versions where retired_at is null order by model, provider, upstream_model, input_from`,
    ),
  );
}

/** The most versions of a model's costs in its history. */
const HISTORY_MAX = 100;

/** The last costs of each model, the newest first. */
export async function readCostHistory(sql: SqlRunner): Promise<readonly CostVersion[]> {
  return versionsOf(
    await sql.query<Row>(
      `select ${COLUMNS} from (
         select *, dense_rank() over (partition by model order by created_at desc, provider, upstream_model) as rank
         from cost_versions
       ) ranked where rank <= $1 order by model, rank, input_from`,
      [HISTORY_MAX],
    ),
  );
}

/** Versions of their rows, which follow each other: that of the base rates first. */
function versionsOf(rows: readonly Row[]): readonly CostVersion[] {
  const versions = Map.groupBy(rows, (row) =>
    JSON.stringify([row.model, row.provider, row.upstream_model, row.version]),
  );
  return [...versions.values()].flatMap(([base, ...tiers]) => {
    if (base === undefined) return [];
    const { model, provider, upstream_model: upstreamModel, created_at: from, retired_at: to } = base;
    const priceBy = (rates: (row: Row) => Rates): TierPrice => ({
      rates: rates(base),
      tiers: tiers.map((tier) => ({ aboveInputTokens: tier.input_from - 1, rates: rates(tier) })),
    });
    const serviceTiers = inEachTier(base.service_tiers ?? {}, (_, tier) =>
      priceBy((row) => decodeRates(assured(row.service_tiers?.[tier]))),
    );
    const cost = {
      ...priceBy(ratesOf),
      ...(base.fees !== null && { fees: decodeFees(base.fees) }),
      ...(base.service_tiers !== null && { serviceTiers }),
    };
    return [{ model, provider, upstreamModel, cost, from, to }];
  });
}

function assured(rates: StoredRates | undefined): StoredRates {
  assert(rates !== undefined, 'each row of a cost has the same service tiers');
  return rates;
}

function ratesOf(row: Row): Rates {
  return Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, row[`${tokenClass}_rate`]])) as Rates;
}

/** The known costs of these models' routes, each once. */
function configuredCosts(configured: readonly OfferedModel[]): readonly RouteCost[] {
  return configured.flatMap(({ id: model, routes }) =>
    routes.flatMap(({ provider, upstreamModel, cost }, index) => {
      const first = routes.findIndex((other) => other.provider === provider && other.upstreamModel === upstreamModel);
      return cost === undefined || first !== index ? [] : [{ model, provider, upstreamModel, cost }];
    }),
  );
}

const routeName = ({ model, provider, upstreamModel }: RouteCost): string =>
  JSON.stringify([model, provider, upstreamModel]);

/** The costs of `costs` that `others` has not. */
function without(costs: readonly RouteCost[], others: readonly RouteCost[]): readonly RouteCost[] {
  const known = new Map(others.map((other) => [routeName(other), other.cost]));
  return costs.filter((one) => !isDeepStrictEqual(known.get(routeName(one)), one.cost));
}

/** The configured models with changed costs. Costs of models that go off sale end with them. */
export function diffCosts(
  active: readonly CostVersion[],
  configured: readonly OfferedModel[],
): readonly CatalogueChange[] {
  const before = Map.groupBy(active, ({ model }) => model);
  const after = Map.groupBy(configuredCosts(configured), ({ model }) => model);
  return configured.flatMap(({ id: model }) => {
    const fields = changedFields(describe(before.get(model)), describe(after.get(model)));
    return fields.length === 0 ? [] : [{ model, change: 'cost' as const, fields, needsAccept: false }];
  });
}

function describe(costs: readonly RouteCost[] = []): Fields {
  return new Map(
    costs.flatMap(({ provider, upstreamModel, cost }) => priceFields(`cost.${provider}/${upstreamModel}`, cost)),
  );
}

/** Puts the costs of these changes into force, and retires those of models that were retired, in the transaction given. */
export async function applyCosts(
  tx: SqlRunner,
  configured: readonly OfferedModel[],
  applied: readonly CatalogueChange[],
): Promise<void> {
  const models = new Set(
    applied.filter(({ change }) => change === 'cost' || change === 'retire').map(({ model }) => model),
  );
  if (models.size === 0) return;
  const active = (await readActiveCosts(tx)).filter(({ model }) => models.has(model));
  const wanted = configuredCosts(configured).filter(({ model }) => models.has(model));
  const [retired, made] = [without(active, wanted), without(wanted, active)];
  if (retired.length + made.length === 0) return;
  const [time] = await tx.query<{ time: string }>('select next_cost_time()::text as time');
  await tx.query(
    `update cost_versions set retired_at = $1::timestamptz
     where retired_at is null and (model, provider, upstream_model) in (select * from unnest($2::text[], $3::text[], $4::text[]))`,
    [time?.time ?? '', ...routesOf(retired)],
  );
  const rows = made.flatMap((cost) => rowsOf(cost.cost).map((row) => ({ ...cost, ...row })));
  await tx.query(
    `insert into cost_versions (created_at, model, provider, upstream_model, input_from, input_to, fees, service_tiers, ${RATES.join(', ')})
     select $1::timestamptz, * from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::jsonb[], $8::jsonb[],
       ${RATES.map((_, index) => `$${index + 9}::bigint[]`).join(', ')})`,
    [
      time?.time ?? '',
      ...routesOf(rows),
      rows.map(({ from }) => from),
      rows.map(({ to }) => to),
      rows.map(({ cost: { fees } }) => (fees === undefined ? null : JSON.stringify(encodeFees(fees)))),
      rows.map(({ serviceTiers }) => (serviceTiers === null ? null : JSON.stringify(serviceTiers))),
      ...TOKEN_CLASSES.map((tokenClass) => rows.map(({ rates }) => rates[tokenClass])),
    ],
  );
}

function routesOf(costs: readonly RouteCost[]): readonly (readonly string[])[] {
  return [
    costs.map(({ model }) => model),
    costs.map(({ provider }) => provider),
    costs.map(({ upstreamModel }) => upstreamModel),
  ];
}

interface CostRow {
  readonly from: number;
  readonly to: number | null;
  readonly rates: Rates;
  readonly serviceTiers: Readonly<Partial<Record<ServiceTier, StoredRates>>> | null;
}

/** The rates for each number of input tokens. */
function rowsOf(price: Price): readonly CostRow[] {
  const { serviceTiers } = price;
  const steps = [0, ...price.tiers.map((tier) => tier.aboveInputTokens + 1)];
  const ratesAt = ({ rates, tiers }: TierPrice, index: number): Rates => tiers[index - 1]?.rates ?? rates;
  return steps.map((from, index) => ({
    from,
    to: steps[index + 1] ?? null,
    rates: ratesAt(price, index),
    serviceTiers:
      serviceTiers === undefined ? null : inEachTier(serviceTiers, (tier) => encodeRates(ratesAt(tier, index))),
  }));
}
