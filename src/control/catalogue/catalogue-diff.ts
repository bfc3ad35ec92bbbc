import type { Model, ModelTerms, ToolTerms } from '../../domain/model.ts';
import { isMost } from '../../lib/is-most.ts';
import type { Price, Rates, TierPrice } from '../../domain/price.ts';
import { SERVICE_TIERS } from '../../domain/service-tier.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import { HOSTED_TOOLS, type HostedTool, USE_CLASSES } from '../../domain/uses.ts';
import { type ChangedField, changedFields, type Fields, priceFields } from './changed-fields.ts';
import { encodeTerms } from './terms.ts';

// The changes to the models on sale that an apply of the file's models would make.

/** A model as the configuration offers it. */
export type OfferedModel = Pick<Model, 'id' | 'terms' | 'routes' | 'reasoning' | 'fallback'>;

/** The price version that a model is sold at. */
export interface ActiveVersion {
  readonly id: bigint;
  readonly model: string;
  /** Which of the model's versions it is, counted from 1. */
  readonly version: number;
  /** The workspace that pays it; null: it is the list price. */
  readonly workspaceId: string | null;
  readonly terms: ModelTerms;
  /** When the model's first version was made; milliseconds since the epoch. */
  readonly createdAtMs: number;
}

export interface CatalogueChange {
  readonly model: string;
  /** `cost`: what providers ask for it; all others are about what callers pay. */
  readonly change: 'add' | 'update' | 'retire' | 'cost';
  readonly fields: readonly ChangedField[];
  /**
   * More likely a slip than a decision: a price moves more than tenfold, or from or to nothing; or the model is one of
   * more than half of all that would go off sale.
   */
  readonly needsAccept: boolean;
}

const SLIP_FACTOR = 10n;

function ratesAt(price: TierPrice, inputTokens: number): Rates {
  return price.tiers.findLast((tier) => inputTokens > tier.aboveInputTokens)?.rates ?? price.rates;
}

const isSlip = (old: bigint, now: bigint): boolean => now > old * SLIP_FACTOR || old > now * SLIP_FACTOR;

/** Whether any class, for any size of input, or any fee or service tier that stays, becomes more than tenfold higher or lower. */
function looksLikeSlip(before: Price, after: Price): boolean {
  const feeSlips = USE_CLASSES.some((useClass) => {
    const [old, now] = [before.fees?.[useClass], after.fees?.[useClass]];
    return old !== undefined && now !== undefined && isSlip(old, now);
  });
  if (feeSlips) return true;
  const tierSlips = SERVICE_TIERS.some((tier) => {
    const [old, now] = [before.serviceTiers?.[tier], after.serviceTiers?.[tier]];
    return old !== undefined && now !== undefined && slipsAtSomeLength(old, now);
  });
  return tierSlips || slipsAtSomeLength(before, after);
}

function slipsAtSomeLength(before: TierPrice, after: TierPrice): boolean {
  const steps = [...before.tiers, ...after.tiers].map((tier) => tier.aboveInputTokens + 1);
  return [0, ...steps].some((inputTokens) => {
    const [from, to] = [ratesAt(before, inputTokens), ratesAt(after, inputTokens)];
    return TOKEN_CLASSES.some((tokenClass) => isSlip(from[tokenClass], to[tokenClass]));
  });
}

/** The terms field by field, as people read them: rates in USD per million tokens. */
function describe({ kind, price, contextWindow, maxOutput, media, tools = {}, sellsAudio }: ModelTerms): Fields {
  return new Map<string, string>([
    ['kind', kind],
    ['context_window', String(contextWindow)],
    ['max_output', String(maxOutput)],
    ['media.image_tokens', String(media.imageTokens)],
    ['media.audio_tokens', String(media.audioTokens)],
    ['media.file_tokens', String(media.fileTokens)],
    ...priceFields('price', price),
    ...HOSTED_TOOLS.flatMap((tool) => toolFields(tool, tools[tool])),
    ...(sellsAudio === true ? [['sells_audio', 'true'] as const] : []),
  ]);
}

function toolFields(tool: HostedTool, terms: ToolTerms | undefined): readonly (readonly [string, string])[] {
  if (terms === undefined) return [];
  return [
    [`tools.${tool}.max_uses`, String(terms.maxUses)],
    [`tools.${tool}.input_tokens`, String(terms.inputTokens)],
  ];
}

/** The changes that put exactly the configured models on sale, in the order of the model ids. */
export function diffCatalogue(
  active: readonly ActiveVersion[],
  configured: readonly OfferedModel[],
): readonly CatalogueChange[] {
  const before = new Map(active.map((version) => [version.model, version.terms]));
  const offered = new Set(configured.map(({ id }) => id));
  const changes: CatalogueChange[] = [];
  for (const { id: model, terms } of configured) {
    const old = before.get(model);
    if (old === undefined) {
      changes.push({ model, change: 'add', fields: changedFields(new Map(), describe(terms)), needsAccept: false });
    } else if (encodeTerms(old) !== encodeTerms(terms)) {
      const needsAccept = looksLikeSlip(old.price, terms.price);
      changes.push({ model, change: 'update', fields: changedFields(describe(old), describe(terms)), needsAccept });
    }
  }
  const lost = [...before.keys()].filter((model) => !offered.has(model));
  const needsAccept = isMost(lost.length, before.size);
  for (const model of lost) changes.push({ model, change: 'retire', fields: [], needsAccept });
  return changes.toSorted((a, b) => (a.model < b.model ? -1 : 1));
}
