import { formatUsd } from '../../domain/money.ts';
import { TOKEN_CLASSES, type TokenClass } from '../../domain/usage.ts';
import { RATE_MAX } from '../file-fields.ts';
import { asObject, type ExactJson, type ExactJsonObject, JsonNumber } from './exact-json.ts';

// The prices of one entry of the price map, as the config file says them.

/** USD per million tokens, as decimal strings. */
export type EntryRates = Partial<Record<TokenClass, string>>;

export interface EntryPrice extends EntryRates {
  readonly tiers?: readonly (EntryRates & { readonly above_input_tokens: number })[];
}

/** An entry can't be said in the config file. The message says why, for the operator. */
export class UnfitEntry extends Error {
  override readonly name = 'UnfitEntry';
}

/** The map's name of each class of tokens. */
const FIELDS: Readonly<Record<string, TokenClass>> = {
  input_cost_per_token: 'input',
  cache_read_input_token_cost: 'cached_input',
  input_cost_per_token_cache_hit: 'cached_input',
  cache_creation_input_token_cost: 'cache_write_5m',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
  input_cost_per_audio_token: 'audio_input',
  output_cost_per_token: 'output',
  output_cost_per_audio_token: 'audio_output',
};

/** Tokens without a class in the file: they fit if their price is that of the class that they count as. */
const COUNTED_AS: Readonly<Record<string, TokenClass>> = {
  input_cost_per_image_token: 'input',
  cache_read_input_audio_token_cost: 'cached_input',
  cache_read_input_image_token_cost: 'cached_input',
  cache_creation_input_audio_token_cost: 'cache_write_5m',
  output_cost_per_reasoning_token: 'output',
  output_cost_per_image_token: 'output',
};

/** Prices of what requests here can't ask for: other speeds, batches, and tools that run at the provider. */
const NOT_ASKED_FOR =
  /_(priority|flex|fast|ultrafast|balanced|decisions|batches)$|^(search_context|web_search|code_interpreter|computer_use|file_search|vector_store|google_maps|off_peak)/;
/** The same price in a currency of the vendor's own. */
const OTHER_CURRENCY = /_dbu_cost_/;
const IS_PRICE = /cost|pric(e|ing)/;
const THRESHOLD = /^(?<field>.*?)_above_(?<number>\d+)(?<thousands>k?)_tokens$/;

/** USD per token to nano-USD per million tokens. */
const POWER = 15;

type Field = readonly [name: string, value: ExactJson];

/** The prices of an entry. @throws UnfitEntry */
export function readPrice(entry: ExactJsonObject): EntryPrice {
  const sections = sectionsOf(entry);
  const base = classRates(sections.get(0) ?? [], new Map());
  const thresholds = [...sections.keys()].filter((above) => above > 0).toSorted((left, right) => left - right);
  const tiers = thresholds.map((above) => ({
    above_input_tokens: above,
    ...inText(classRates(sections.get(above) ?? [], base)),
  }));
  return { ...inText(base), ...(tiers.length === 0 ? {} : { tiers }) };
}

/** The prices by the input above which they apply; those that always do are at 0. */
function sectionsOf(entry: ExactJsonObject): ReadonlyMap<number, readonly Field[]> {
  const sections = new Map<number, Field[]>();
  const add = (above: number, field: Field): void => {
    if (isPrice(field[0])) sections.set(above, [...(sections.get(above) ?? []), field]);
  };
  for (const [name, value] of Object.entries(entry).filter(([each]) => isPrice(each))) {
    const { field = name, number = '0', thousands = '' } = THRESHOLD.exec(name)?.groups ?? {};
    if (name === 'tiered_pricing') readRanges(value).forEach(([above, inRange]) => add(above, inRange));
    else add(Number(number) * (thousands === '' ? 1 : 1_000), [field, value]);
  }
  return sections;
}

function isPrice(name: string): boolean {
  return IS_PRICE.test(name) && !NOT_ASKED_FOR.test(name) && !OTHER_CURRENCY.test(name);
}

/** Some entries have a list of ranges of input instead, each with its prices. */
function readRanges(ranges: ExactJson): readonly (readonly [above: number, field: Field])[] {
  if (!Array.isArray(ranges)) throw new UnfitEntry('its price tiers are unreadable');
  return (ranges as readonly ExactJson[]).flatMap((one) => {
    const { range, ...fields } = asObject(one) ?? {};
    const from = Array.isArray(range) ? (range as readonly ExactJson[])[0] : undefined;
    const above = from instanceof JsonNumber ? from.scaled(0) : null;
    if (above === null || above < 0n || above > 1_000_000_000n) throw new UnfitEntry('its price tiers are unreadable');
    return Object.entries(fields).map((field) => [Number(above), field] as const);
  });
}

type ClassRates = ReadonlyMap<TokenClass, bigint>;

/** The rates of one section; a class that it doesn't name costs what it costs without the section. */
function classRates(fields: readonly Field[], base: ClassRates): ClassRates {
  const stated = new Map<TokenClass, bigint>();
  for (const [name, value] of fields) {
    const tokenClass = FIELDS[name];
    if (tokenClass === undefined || value === null) continue;
    const rate = rateOf(name, value);
    if ((stated.get(tokenClass) ?? rate) !== rate) throw new UnfitEntry('it says two prices for the same tokens');
    stated.set(tokenClass, rate);
  }
  // Where writing for an hour has no price of its own, the map's makers count it as writing for five minutes.
  const write = stated.get('cache_write_5m');
  if (write !== undefined && !stated.has('cache_write_1h')) {
    if (base.get('cache_write_1h') !== base.get('cache_write_5m')) {
      throw new UnfitEntry('its price for an hour in the cache is not known for long input');
    }
    stated.set('cache_write_1h', write);
  }
  const rates = new Map([...base, ...stated]);
  for (const [name, value] of fields) if (!(name in FIELDS)) checkOtherPrice(name, value, rates);
  return rates;
}

/** A price without a key in the file must be zero, or equal to the one charged anyway. */
function checkOtherPrice(name: string, value: ExactJson, rates: ClassRates): void {
  if (value === null) return;
  const tokenClass = COUNTED_AS[name];
  const isNothing = value instanceof JsonNumber && value.scaled(POWER) === 0n;
  if (tokenClass === undefined && isNothing) return;
  if (tokenClass !== undefined) {
    const charged = rates.get(tokenClass) ?? rates.get(tokenClass.includes('output') ? 'output' : 'input');
    if (value instanceof JsonNumber && value.scaled(POWER) === charged) return;
  }
  throw new UnfitEntry(`it has a price that the config file can't say (${name})`);
}

function rateOf(name: string, value: ExactJson): bigint {
  if (!(value instanceof JsonNumber)) throw new UnfitEntry(`${name} is not a number`);
  const rate = value.scaled(POWER);
  if (rate === null) throw new UnfitEntry(`${name} is ${value.text}, which is not exact to the nano-USD per million`);
  if (rate < 0n || rate > RATE_MAX) throw new UnfitEntry(`${name} is out of range`);
  return rate;
}

function inText(rates: ClassRates): EntryRates {
  return Object.fromEntries(
    TOKEN_CLASSES.flatMap((tokenClass) => {
      const rate = rates.get(tokenClass);
      return rate === undefined ? [] : [[tokenClass, formatUsd(rate)]];
    }),
  );
}
