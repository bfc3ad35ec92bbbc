import type { Config } from '../../config/config.ts';
import { isMost } from '../../lib/is-most.ts';
import type { CliContext, GlobalOptions } from './cli-context.ts';

const ANSWER_MS_MAX = 3_000;

/** Probable mistakes in a valid configuration, one sentence each. */
export async function configWarnings(
  { file, models }: Config,
  context: CliContext,
  options: GlobalOptions,
): Promise<readonly string[]> {
  if (file === null) return [];
  const onSale = await modelsOnSale(context, options);
  const lost = onSale.filter((model) => !models.some(({ id }) => id === model));
  const warnings = models.length > 0 ? [] : ['It has no models, so every request will be refused.'];
  if (isMost(lost.length, onSale.length)) {
    warnings.push(
      `It takes ${lost.length} of ${onSale.length} models off sale: ${lost.join(', ')}. The running instance keeps selling them until "faregate catalogue apply --accept ${lost.join(' ')}"; an instance started with this file does not.`,
    );
  }
  return warnings;
}

/** The models that the running instance sells; none if no instance answers. */
async function modelsOnSale(context: CliContext, options: GlobalOptions): Promise<readonly string[]> {
  try {
    const diff: { readonly on_sale?: readonly string[] } = await context
      .connect(options, { answerMsMax: ANSWER_MS_MAX })
      .previewCatalogue();
    // Instances of earlier versions don't report it.
    return diff.on_sale ?? [];
  } catch {
    return [];
  }
}
