import {
  type CommandDeclaration,
  type CommandTable,
  isOption,
  type Word,
  type WordValue,
} from '../../../src/control/operations/command.ts';
import type { SettingsBody, SettingTable } from '../../../src/control/resources/setting.ts';
import { settingOptions } from './setting-options.ts';

/** What a form may hold of it: numbers as texts, flags that are not set. */
type Held<One> = One extends number
  ? One | string
  : One extends true
    ? boolean
    : One extends string[]
      ? readonly string[]
      : One;

/** The values of a command's words; null and undefined where nothing is given. */
type WordsOf<One> = One extends { readonly takes: infer Words }
  ? { readonly [Name in keyof Words]?: Held<WordValue<Words[Name]>> | null | undefined }
  : object;

type SettingsOf<One> = One extends { readonly settings: infer Table extends SettingTable }
  ? SettingsBody<Table>
  : object;

/** The values that a command gives, by the names of parameters and fields. */
export type CommandValues<One extends CommandDeclaration> = WordsOf<One> & SettingsOf<One>;

type Value = string | number | boolean | readonly string[] | null | undefined;

/** In capitals, what is yet to be written: that of `--name <text>` is NAME. */
function placeholder(word: string): string {
  const [, option] = /--(\S+)/.exec(word) ?? [];
  const [, what = ''] = /[<[]([^<[>\]]+)[>\]]$/.exec(word) ?? [];
  return (what === 'text' && option !== undefined ? option : what).toUpperCase();
}

function isNothing(value: Value): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function argumentWords({ word }: Word, value: Value): readonly string[] {
  if (value !== undefined && value !== null && value !== '') return [String(value)];
  return word.startsWith('<') ? [placeholder(word)] : [];
}

/** A change clears what is empty; what is made without it needs no word about it. */
function optionWords(option: Word, value: Value, isChange: boolean): readonly string[] {
  const name = /--[\w-]+/.exec(option.word)?.[0] ?? '';
  const isRequired = 'required' in option;
  if (isRequired && (value === undefined || value === '')) return [name, placeholder(option.word)];
  if (value === undefined || value === null || (isNothing(value) && !isChange)) return [];
  if (option.kind === 'switch') return [value === true ? name : '--disable'];
  if (option.kind === 'flag') return value === true ? [name] : [];
  if (typeof value === 'object') return [name, ...(value.length === 0 ? ['none'] : value)];
  return [name, String(value)];
}

/** The words of a declared command that gives these values. */
export function commandWords<Table extends CommandTable, Name extends keyof Table & string>(
  table: Table,
  name: Name,
  given?: CommandValues<Table[Name]>,
): readonly string[] {
  const { takes = {}, settings } = table[name] as CommandDeclaration;
  const values = { ...given } as Readonly<Record<string, Value>>;
  const isChange = name.endsWith(' update');
  const words = Object.entries(takes);
  const required = words.filter(([, word]) => isOption(word) && 'required' in word);
  const others = words.filter(([, word]) => isOption(word) && !('required' in word));
  return [
    ...name.split(' '),
    ...words.flatMap(([field, word]) => (isOption(word) ? [] : argumentWords(word, values[field]))),
    ...[...required, ...others].flatMap(([field, word]) => optionWords(word, values[field], isChange)),
    ...(settings === undefined ? [] : settingOptions(settings, values, isChange)),
  ];
}
