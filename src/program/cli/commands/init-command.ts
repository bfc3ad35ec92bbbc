import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { ProviderConfig } from '../../../config/config.ts';
import { type ConfigSources, loadConfigText, locateConfigFile } from '../../../config/load-config.ts';
import { PRICES_SOURCE } from '../../../config/price-map/known-prices.ts';
import { starterFile } from '../../../config/starter-file.ts';
import { parsePercent } from '../../../domain/price-adjustment.ts';
import { CliFailure, codeOf } from '../cli-failure.ts';
import { type CliContext, type GlobalOptions, globalsOf } from '../cli-context.ts';
import { example } from '../example.ts';
import { type OwnPrice, type Proposal, proposeModels } from '../../../config/price-map/proposal.ts';
import {
  type ChosenKey,
  type ChosenProvider,
  chooseKey,
  chooseProvider,
  type ProviderAnswers,
} from '../init-provider.ts';
import { countAboveZero, modelList, percent, usd } from '../option-values.ts';
import { plain } from '../text-layout.ts';

interface InitOptions extends ProviderAnswers {
  readonly models?: readonly string[];
  readonly markUp?: string;
  readonly inputPrice?: string;
  readonly outputPrice?: string;
  readonly contextWindow: number;
}

const CONTEXT_WINDOW_DEFAULT = 32_768;
const MARK_UP_DEFAULT = '20';
/** Stands for a key that no variable and no file holds yet. */
const TYPED_KEY = 'FAREGATE_INIT_KEY';

/** `init`: writes a first config file. */
export function addInitCommand(program: Command, context: CliContext): void {
  program
    .command('init')
    .summary('write a first config file: a provider, its key, models with prices')
    .description(
      'Asks for a provider and its key, lists its models, and writes a config file that sells them. It asks only for what ' +
        'no option says, and nothing without a terminal. It never changes a file. The key is read from its environment ' +
        'variable or a file, or typed without being shown; the config file only refers to it.',
    )
    .option('--provider <name>', 'a known provider, or a name of your own for the one at --base-url')
    .option('--base-url <url>', 'the address of its OpenAI-compatible API, with its version')
    .option('--key-variable <name>', "the environment variable of its key (default: the provider's usual one)")
    .option('--key-file <path>', 'a file that holds its key')
    .option(
      '--models <ids>',
      'comma-separated ids of the models to sell (default: those with a known price)',
      modelList,
    )
    .option('--mark-up <percent>', `what callers pay above the cost (default: ${MARK_UP_DEFAULT}%)`, percent)
    .option('--input-price <usd>', 'the cost of input where none is known, USD per million tokens', usd)
    .option('--output-price <usd>', 'the cost of output where none is known, USD per million tokens', usd)
    .option(
      '--context-window <tokens>',
      'the window of models that are not known',
      countAboveZero,
      CONTEXT_WINDOW_DEFAULT,
    )
    .addHelpText('after', example('init --provider openai --models gpt-5,gpt-5-mini --mark-up 20%'))
    .action((own: InitOptions, command: Command) => initialize(own, globalsOf(command), context));
}

async function initialize(own: InitOptions, options: GlobalOptions, context: CliContext): Promise<void> {
  const { surroundings } = context;
  const sources = context.configSources(options);
  const file = locateConfigFile(sources);
  if (existsSync(file)) {
    throw new CliFailure(`${file} exists, and this never changes one; "faregate catalogue import" adds models to it`);
  }
  const provider = await chooseProvider(own, surroundings);
  const key = await chooseKey(provider, own, surroundings, file);
  const proposal = await proposalOf(provider, draftProvider(provider, key, sources), own, context);
  const models = await chooseModels(proposal, own, context);
  const markUp = await chooseMarkUp(own, context);
  const text = starterFile({
    provider: provider.name,
    section: { ...provider.section, ...key.setting },
    models,
    markUp,
    comment: COMMENT,
  });
  if (key.newFile !== null) write(key.newFile, `${key.secret ?? ''}\n`, 0o600);
  try {
    loadConfigText(text, sources);
    write(file, text, 0o644);
  } catch (fault) {
    if (key.newFile !== null) rmSync(key.newFile);
    throw fault;
  }
  const ids = models.map(({ id }) => id);
  context.print(
    options,
    { file, key_file: key.newFile, provider: provider.name, models: ids, unpriced: proposal.unpriced },
    summaryOf(file, key, ids, proposal.unpriced.length),
  );
}

/** The provider as the config file will have it, its key at hand. @throws ConfigFault if its address is of no use */
function draftProvider(provider: ChosenProvider, key: ChosenKey, sources: ConfigSources): ProviderConfig {
  const section = { ...provider.section, ...(key.secret === null ? {} : { api_key: `\${${TYPED_KEY}}` }) };
  const env = { ...sources.env, [TYPED_KEY]: key.secret ?? undefined };
  const { providers } = loadConfigText(stringify({ providers: { [provider.name]: section } }), { ...sources, env });
  const [draft] = providers;
  if (draft === undefined) throw new CliFailure('the provider has no settings');
  return draft;
}

async function proposalOf(
  { name, vendor }: ChosenProvider,
  draft: ProviderConfig,
  own: InitOptions,
  { parts }: CliContext,
): Promise<Proposal> {
  const list = await parts.listModels(draft);
  if (!list.ok) throw new CliFailure(`${name}: ${list.problem}`);
  const ids = list.ids ?? own.models;
  if (ids === undefined) throw new CliFailure(`${name} has no list of its models; name some with --models`);
  return proposeModels(ids, { vendor, ownPrice: ownPriceOf(own) });
}

function ownPriceOf({ inputPrice, outputPrice, contextWindow }: InitOptions): OwnPrice | null {
  if (inputPrice === undefined && outputPrice === undefined) return null;
  return { input: inputPrice ?? '0', output: outputPrice ?? '0', contextWindow };
}

async function chooseModels({ models, proposed, unpriced }: Proposal, own: InitOptions, { surroundings }: CliContext) {
  if (models.size === 0) {
    throw new CliFailure(
      `none of its ${unpriced.length} models has a known price; give one with --input-price and --output-price`,
    );
  }
  const typed = own.models ? '' : ((await surroundings.ask(`Models to sell [${proposed.join(',')}]: `)) ?? '');
  const wanted = own.models ?? (typed.trim() === '' ? proposed : modelList(typed));
  return wanted.map((id) => {
    const model = models.get(id);
    if (model !== undefined) return model;
    const isListed = unpriced.includes(id);
    throw new CliFailure(
      isListed
        ? `the price of "${id}" is not known; give it with --input-price and --output-price`
        : `the provider lists no model "${id}"`,
    );
  });
}

/** In hundredths of a percent. @throws CliFailure */
async function chooseMarkUp({ markUp }: InitOptions, { surroundings }: CliContext): Promise<number> {
  const typed = (markUp ?? (await surroundings.ask(`Mark-up in percent [${MARK_UP_DEFAULT}]: `)) ?? '').trim();
  const basisPoints = parsePercent(typed === '' ? MARK_UP_DEFAULT : withoutUnit(typed));
  if (basisPoints !== null && basisPoints >= 0) return basisPoints;
  throw new CliFailure(`"${typed}" is no mark-up; write a percentage from 0 to 900 such as ${MARK_UP_DEFAULT}`);
}

function withoutUnit(percentage: string): string {
  return percentage.endsWith('%') ? percentage.slice(0, -1).trimEnd() : percentage;
}

const COMMENT = `A first configuration. /docs/configuration of the running instance explains every key.
A "cost" is what the provider asks, in USD per million tokens (${PRICES_SOURCE}): compare it with the
provider's own list. Callers pay the "markup" above it: "faregate catalogue list" shows the prices.`;

function summaryOf(file: string, { newFile, setting }: ChosenKey, ids: readonly string[], unpriced: number): string {
  const reference = 'api_key' in setting ? `Its key stays in the environment, as ${setting.api_key}.\n` : '';
  return [
    `${plain(file)} sells ${ids.length === 1 ? 'one model' : `${ids.length} models`}: ${plain(ids.join(', '))}.\n`,
    newFile === null ? reference : `The key is in ${plain(newFile)}, which only you can read.\n`,
    unpriced === 0 ? '' : `It lists ${unpriced} more, whose prices are not known here.\n`,
    '\nCompare the prices with the provider\'s own, then run "faregate start". A running instance takes the file up by itself.\n',
  ].join('');
}

/** Writes a file that must not be there yet. */
function write(path: string, text: string, mode: number): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode });
  } catch (cause) {
    const code = codeOf(cause, 'failed');
    throw new CliFailure(`${path} cannot be written (${code})`, { cause });
  }
}
