import { isDeepStrictEqual } from 'node:util';
import { ConfigFault } from './config-fault.ts';
import { pathText } from './file-problem.ts';
import { RATE_MAX } from './file-fields.ts';
import { type FilePrice, PRICE_RIGHT } from './file-prices.ts';
import type { FileModel, FileSettings } from './file-schema.ts';
import { listPriceOf } from './list-price.ts';
import { TOKEN_CLASSES } from '../domain/usage.ts';
import { nearestName } from '../lib/nearest-name.ts';
import { MODEL_KIND_WORDS } from '../domain/model.ts';
import { HOSTED_TOOLS } from '../domain/uses.ts';
import { serviceTierRelations } from './service-tier-relations.ts';
import type { Path, YamlTree } from './yaml-tree.ts';

// Relations between parts of the file, each of which is well-formed by itself.

interface Relation {
  readonly path: Path;
  readonly problem: string;
}

/** Checks the relations. @throws ConfigFault at the first in the file that doesn't hold. */
export function checkRelations(settings: FileSettings, tree: YamlTree): void {
  const broken = [
    ...Object.entries(settings.providers).flatMap(([name, provider]) => providerRelations(name, provider)),
    ...amountRelations(settings),
    ...retentionRelations(settings),
    ...settings.models.flatMap((model, index) => modelRelations(model, index, settings, tree)),
  ];
  const [first] = broken.toSorted((left, right) => tree.offset(left.path) - tree.offset(right.path));
  if (first !== undefined) throw new ConfigFault(tree.where(first.path), first.problem);
}

/** Checks that models of the file fall back to models of the file. A stored model may name any. @throws ConfigFault */
export function checkFallbacks({ models }: FileSettings, tree: YamlTree): void {
  const known = models.map(({ id }) => id);
  for (const [index, { fallback }] of models.entries()) {
    const unknown = fallback.findIndex((id) => !known.includes(id));
    if (unknown < 0) continue;
    const path = ['models', index, 'fallback', unknown];
    const meant = nearestName(fallback[unknown] ?? '', known);
    const right = meant === null ? `known are ${known.join(', ')}` : `did you mean "${meant}"?`;
    throw new ConfigFault(tree.where(path), `unknown model "${tree.written(path)}"; ${right}`);
  }
}

/** Of all ways to name a provider's key, one. */
function providerRelations(name: string, provider: FileSettings['providers'][string]): Relation[] {
  const given = ['api_key', 'api_key_file', 'token_file'].filter((field) => field in provider);
  return given.slice(1).map((field) => {
    const path = ['providers', name, field];
    return { path, problem: `${pathText(path)} and ${given[0]} are both given; keep one of the two` };
  });
}

function amountRelations({ payments }: FileSettings): Relation[] {
  if (payments.amount_min > 0n && payments.amount_min <= payments.amount_max) return [];
  const path = ['payments', 'amount_min'];
  return [{ path, problem: 'payments.amount_min is zero or above amount_max; write an amount between the two' }];
}

/** Nothing is dropped, and no backup written, before it is said where to. */
function retentionRelations({ ledger, backup }: FileSettings): Relation[] {
  const needed: readonly (readonly [Path, boolean, string])[] = [
    [
      ['ledger', 'keep'],
      ledger.keep !== undefined && ledger.export_to === undefined,
      'has no ledger.export_to beside it; name the folder to which receipts are exported before they are dropped, or write none',
    ],
    [
      ['backup', 'schedule'],
      backup.schedule !== undefined && backup.folder === undefined,
      'has no backup.folder beside it; name the folder for backups',
    ],
    [
      ['backup', 'folder'],
      backup.schedule === undefined && backup.folder !== undefined,
      'has no backup.schedule beside it; write when backups are written, such as "02:30"',
    ],
  ];
  return needed.flatMap(([path, isBroken, problem]) =>
    isBroken ? [{ path, problem: `${pathText(path)} ${problem}` }] : [],
  );
}

function modelRelations(model: FileModel, index: number, settings: FileSettings, tree: YamlTree): Relation[] {
  const base = ['models', index];
  return [
    ...duplicateId(model, index, settings, tree),
    ...unknownProviders(model, base, settings, tree),
    ...priceRelations(model, base),
    ...(model.kind === 'chat' ? chatRelations(model, base) : silentRelations(model, base)),
    ...tierRelations(model, base),
    ...serviceTierRelations(model, pricesOf(model, base)),
    ...weightRelations(model, base),
    ...costRelations(model, base),
    ...fallbackRelations(model, base, settings),
    ...toolRelations(model, base),
    ...audioRelations(model, base),
  ];
}

function duplicateId(model: FileModel, index: number, settings: FileSettings, tree: YamlTree): Relation[] {
  const first = settings.models.findIndex(({ id }) => id === model.id);
  if (first === index) return [];
  const path = ['models', index, 'id'];
  const earlier = tree.where(['models', first, 'id']).split(':').at(-2);
  return [
    {
      path,
      problem: `the model "${tree.written(path)}" is already defined in line ${earlier}; use another id, or join their routes`,
    },
  ];
}

function unknownProviders(model: FileModel, base: Path, settings: FileSettings, tree: YamlTree): Relation[] {
  const known = Object.keys(settings.providers);
  return model.routes.flatMap(({ provider }, route) => {
    if (known.includes(provider)) return [];
    const path = [...base, 'routes', route, 'provider'];
    const meant = nearestName(provider, known);
    const right =
      meant !== null
        ? `did you mean "${meant}"?`
        : known.length > 0
          ? `known are ${known.join(', ')}`
          : 'define it under "providers"';
    return [{ path, problem: `unknown provider "${tree.written(path)}"; ${right}` }];
  });
}

/** A model has a price, or a mark-up on costs that are all known. */
function priceRelations(model: FileModel, base: Path): Relation[] {
  const { price, markup, routes } = model;
  const [pricePath, markupPath] = [
    [...base, 'price'],
    [...base, 'markup'],
  ];
  if (markup === undefined) {
    if (price !== undefined) return [];
    const problem = `${pathText(pricePath)} is missing; ${PRICE_RIGHT}; or write markup: 10% and what each route costs`;
    return [{ path: pricePath, problem }];
  }
  if (price !== undefined) {
    return [{ path: markupPath, problem: `${pathText(markupPath)} and price are both given; keep one of the two` }];
  }
  const unknown = routes.flatMap(({ cost }, route): Relation[] => {
    const path = [...base, 'routes', route, 'cost'];
    if (cost !== undefined) return [];
    return [{ path, problem: `${pathText(path)} is missing, and markup needs it; write what the provider asks` }];
  });
  const made = listPriceOf(model);
  if (made === null || highestAmount(made) <= RATE_MAX) return unknown;
  const problem = `${pathText(markupPath)} makes a price above "10000"; write a lower one`;
  return [{ path: markupPath, problem }];
}

function highestAmount({ fees = {}, service_tiers: serviceTiers = {}, ...base }: FilePrice): bigint {
  const atAnyLength = [base, ...Object.values(serviceTiers)].flatMap((each) => [each, ...(each.tiers ?? [])]);
  const rates = atAnyLength.flatMap((each) => TOKEN_CLASSES.map((tokenClass) => each[tokenClass] ?? 0n));
  return [...rates, ...Object.values(fees)].reduce((most, each) => (each > most ? each : most), 0n);
}

function chatRelations(model: FileModel, base: Path): Relation[] {
  const broken = pricesOf(model, base).flatMap(({ price, path: at }) => [
    ...missingOutput(price.output, [...at, 'output']),
    ...(price.tiers ?? []).flatMap((tier, index) => missingOutput(tier.output, [...at, 'tiers', index, 'output'])),
  ]);
  const path = [...base, 'max_output'];
  const name = pathText(path);
  if (model.max_output === undefined) {
    broken.push({ path, problem: `${name} is missing; write the most output tokens of one answer, such as 16384` });
  } else if (model.max_output === 0) {
    broken.push({ path, problem: `${name} is too small; write at least 1, or kind: embedding, rerank or moderation` });
  } else if (model.max_output > model.context_window) {
    broken.push({ path, problem: `${name} is above context_window; write at most as much as that` });
  }
  return broken;
}

function missingOutput(output: bigint | undefined, path: Path): Relation[] {
  if (output !== undefined) return [];
  return [{ path, problem: `${pathText(path)} is missing; write USD per million output tokens, such as "2.00"` }];
}

/** Of models that write nothing. */
function silentRelations(model: FileModel, base: Path): Relation[] {
  if ((model.max_output ?? 0) === 0) return [];
  const path = [...base, 'max_output'];
  const words = MODEL_KIND_WORDS[model.kind];
  return [{ path, problem: `${pathText(path)} is set for ${words}, which has no output; leave it out` }];
}

/** A model's price, and the costs of its routes that are known. */
function pricesOf(model: FileModel, base: Path): readonly { readonly price: FilePrice; readonly path: Path }[] {
  const costs = model.routes.flatMap(({ cost }, route) =>
    cost === undefined ? [] : [{ price: cost, path: [...base, 'routes', route, 'cost'] }],
  );
  return model.price === undefined ? costs : [{ price: model.price, path: [...base, 'price'] }, ...costs];
}

function tierRelations(model: FileModel, base: Path): Relation[] {
  return pricesOf(model, base).flatMap(({ price, path: at }) =>
    (price.tiers ?? []).flatMap((tier, index, tiers) => {
      const before = tiers[index - 1]?.above_input_tokens ?? 0;
      if (tier.above_input_tokens > before) return [];
      const path = [...at, 'tiers', index, 'above_input_tokens'];
      return [{ path, problem: `${pathText(path)} is not above the tier before; write tiers in rising order` }];
    }),
  );
}

/** Receipts name a route by its provider and the model there, so that each has one cost. */
function costRelations({ routes }: FileModel, base: Path): Relation[] {
  return routes.flatMap(({ provider, model, cost }, route) => {
    const first = routes.findIndex((other) => other.provider === provider && other.model === model);
    if (isDeepStrictEqual(routes[first]?.cost, cost)) return [];
    const path = [...base, 'routes', route, ...(cost === undefined ? [] : ['cost'])];
    const problem = `${pathText([...base, 'routes', route, 'cost'])} differs from that of routes[${first}], which is the same provider and model; give both the same cost`;
    return [{ path, problem }];
  });
}

/** A model falls back to others of its kind, each once. */
function fallbackRelations({ id, kind, fallback }: FileModel, base: Path, { models }: FileSettings): Relation[] {
  return fallback.flatMap((other, index) => {
    const path = [...base, 'fallback', index];
    const found = models.find((each) => each.id === other);
    const wrong =
      other === id
        ? 'is the model itself'
        : found !== undefined && found.kind !== kind
          ? `is ${MODEL_KIND_WORDS[found.kind]}`
          : fallback.indexOf(other) < index
            ? 'stands in the list twice'
            : null;
    if (wrong === null) return [];
    return [{ path, problem: `${pathText(path)} ${wrong}; name other models of the kind ${kind}, each once` }];
  });
}

/** A tool is sold by its fee, and models of chat alone have tools. */
function toolRelations(model: FileModel, base: Path): Relation[] {
  const { kind, tools, price } = model;
  const sold = listPriceOf(model)?.fees;
  const priced = price === undefined ? [...base, 'routes', 0, 'cost'] : [...base, 'price'];
  return HOSTED_TOOLS.flatMap((tool) => {
    const fee = [...priced, 'fees', tool];
    if (sold?.[tool] !== undefined && kind !== 'chat') {
      const words = MODEL_KIND_WORDS[kind];
      return [{ path: fee, problem: `${pathText(fee)} is set for ${words}, which has no tools; leave it out` }];
    }
    if (tools[tool] === undefined || sold?.[tool] !== undefined) return [];
    const path = [...base, 'tools', tool];
    const problem = `${pathText(path)} is of a tool without a fee; write ${pathText(fee)}, "0" if it costs nothing`;
    return [{ path, problem }];
  });
}

function audioRelations({ kind, price }: FileModel, base: Path): Relation[] {
  if (kind === 'chat' || price?.audio_output === undefined) return [];
  const path = [...base, 'price', 'audio_output'];
  const problem = `${pathText(path)} is set for ${MODEL_KIND_WORDS[kind]}, which does not answer in audio; leave it out`;
  return [{ path, problem }];
}

function weightRelations({ routes }: FileModel, base: Path): Relation[] {
  if (routes.every(({ weight }) => weight === undefined)) return [];
  return routes.flatMap(({ weight }, route) => {
    if (weight !== undefined) return [];
    const path = [...base, 'routes', route, 'weight'];
    return [{ path, problem: `${pathText(path)} is missing beside the weights of other routes; give every route one` }];
  });
}
