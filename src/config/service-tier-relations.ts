import { MODEL_KIND_WORDS } from '../domain/model.ts';
import { SERVICE_TIERS } from '../domain/service-tier.ts';
import { TOKEN_CLASSES } from '../domain/usage.ts';
import { pathText } from './file-problem.ts';
import type { FilePrice, FileRates, FileServiceTier } from './file-prices.ts';
import type { FileModel } from './file-schema.ts';
import type { Path } from './yaml-tree.ts';

// A service tier has each rate that its price names, at each length of input: a rate left out would be that of other tokens,
// and a step left out would sell long input at the rates of short input.

interface Relation {
  readonly path: Path;
  readonly problem: string;
}

interface PricePlace {
  readonly price: FilePrice;
  readonly path: Path;
}

/** The relations of service tiers, in a model's price and in the costs of its routes, that don't hold. */
export function serviceTierRelations({ kind }: FileModel, prices: readonly PricePlace[]): Relation[] {
  return prices.flatMap(({ price, path }) =>
    SERVICE_TIERS.flatMap((name) => {
      const tier = price.service_tiers?.[name];
      if (tier === undefined) return [];
      const at = [...path, 'service_tiers', name];
      if (kind !== 'chat') {
        const problem = `${pathText(at)} is set for ${MODEL_KIND_WORDS[kind]}, whose API has no service tiers; leave it out`;
        return [{ path: at, problem }];
      }
      return [...missingRates(price, tier, at, path), ...missingSteps(price, tier, at, path)];
    }),
  );
}

function missingRates(price: FileRates, tier: FileRates, at: Path, ofPrice: Path): Relation[] {
  return TOKEN_CLASSES.flatMap((tokenClass) => {
    if (price[tokenClass] === undefined || tier[tokenClass] !== undefined) return [];
    const path = [...at, tokenClass];
    const problem = `${pathText(path)} is missing beside ${pathText([...ofPrice, tokenClass])}; write the rate of this tier`;
    return [{ path, problem }];
  });
}

function missingSteps(price: FilePrice, tier: FileServiceTier, at: Path, ofPrice: Path): Relation[] {
  const [wanted, given] = [price.tiers ?? [], tier.tiers ?? []];
  const isSame =
    wanted.length === given.length &&
    wanted.every(({ above_input_tokens: above }, index) => above === given[index]?.above_input_tokens);
  if (!isSame) {
    const path = [...at, 'tiers'];
    const steps = wanted.map(({ above_input_tokens: above }) => above).join(', ');
    const remedy = wanted.length === 0 ? 'leave it out' : `write above_input_tokens ${steps}`;
    return [{ path, problem: `${pathText(path)} has other steps than ${pathText([...ofPrice, 'tiers'])}; ${remedy}` }];
  }
  return wanted.flatMap((step, index) => {
    const own = given[index];
    return own === undefined ? [] : missingRates(step, own, [...at, 'tiers', index], [...ofPrice, 'tiers', index]);
  });
}
