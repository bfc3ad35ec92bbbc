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
  const { onSale, hasFile } = await runningSale(context, options);
  const lost = onSale.filter((model) => !models.some(({ id }) => id === model));
  const warnings = models.length > 0 ? [] : ['It has no models, so every request will be refused.'];
  if (isMost(lost.length, onSale.length)) {
    const effect = hasFile
      ? `The running instance keeps selling them until "faregate catalogue apply --accept ${lost.join(' ')}"; an instance started with this file does not.`
      : 'The running instance, which has had no config file, ends their sale when it takes up this one.';
    warnings.push(`It takes ${lost.length} of ${onSale.length} models off sale: ${lost.join(', ')}. ${effect}`);
  }
  return warnings;
}

interface RunningSale {
  readonly onSale: readonly string[];
  /** Whether a config file names them. */
  readonly hasFile: boolean;
}

/** The models that the running instance sells; none if no instance answers. */
async function runningSale(context: CliContext, options: GlobalOptions): Promise<RunningSale> {
  try {
    const client = context.connect(options, { answerMsMax: ANSWER_MS_MAX });
    const diff: { readonly on_sale?: readonly string[] } = await client.previewCatalogue();
    // Instances of earlier versions don't report it.
    if (diff.on_sale === undefined) return NO_SALE;
    const { file } = await client.showSettings();
    return { onSale: diff.on_sale, hasFile: file !== null };
  } catch {
    return NO_SALE;
  }
}

const NO_SALE: RunningSale = { onSale: [], hasFile: false };
