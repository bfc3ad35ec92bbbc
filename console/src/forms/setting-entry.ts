import { bodyName } from '../../../src/control/resources/setting-values.ts';
import type { Setting, SettingsBody, SettingsJson, SettingTable } from '../../../src/control/resources/setting.ts';
import { dayOf, startOf } from '../format/day.ts';
import { usdOf } from '../format/money-entry.ts';

/** The typed or chosen values of a resource's settings: text, except choices and flags. */
export type SettingEntry<Table extends SettingTable> = {
  readonly [Property in keyof Table]: Table[Property] extends { readonly of: readonly (infer Choice)[] }
    ? Choice
    : Table[Property]['kind'] extends 'flag'
      ? boolean
      : string;
};

/** The settings as a form sends them: all of them. */
export type SentSettings<Table extends SettingTable> = {
  [Name in keyof SettingsBody<Table>]-?: Exclude<SettingsBody<Table>[Name], undefined>;
};

type Values = Readonly<Record<string, unknown>>;
type Notes = Readonly<Record<string, string>>;

function typed(setting: Setting, value: unknown): unknown {
  if (setting.kind === 'choice' || setting.kind === 'flag') return value ?? setting.initial;
  if (value === null || value === undefined) return '';
  switch (setting.kind) {
    case 'models':
    case 'networks':
      return (value as readonly string[]).join('\n');
    case 'time':
      return dayOf(new Date(value as string));
    case 'notes':
    case 'mapping':
      return Object.entries(value as Notes)
        .map(([name, note]) => `${name}=${note}`)
        .join('\n');
    case 'name':
    case 'text':
    case 'usd':
    case 'count':
      return `${value as string | number}`;
  }
}

/** What a form shows at first: the resource as it is, or nothing. */
export function entryOf<Table extends SettingTable>(
  table: Table,
  shown: SettingsJson<Table> | null,
): SettingEntry<Table> {
  const values: Values = shown ?? {};
  const entries = Object.entries(table).map(([property, setting]) => [
    property,
    typed(setting, values[bodyName(setting)]),
  ]);
  return Object.fromEntries(entries) as SettingEntry<Table>;
}

function notesOf(text: string): Notes {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...note] = line.split('=');
      return [name.trim(), note.join('=').trim()];
    }),
  );
}

/** Names have "=" in them where words do not. */
function mappingOf(text: string): Notes {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf('=');
      return end < 0 ? [line.trim(), ''] : [line.slice(0, end).trim(), line.slice(end + 1).trim()];
    }),
  );
}

/** The items of a text, by white space and commas; null: there are none. */
export function listOf(text: string): readonly string[] | null {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  return items.length === 0 ? null : items;
}

function sent({ kind }: Setting, value: unknown): unknown {
  if (kind === 'choice' || kind === 'flag') return value;
  const text = value as string;
  if (kind === 'name') return text.trim();
  if (kind === 'notes') return notesOf(text);
  if (kind === 'mapping') return mappingOf(text);
  if (kind === 'models' || kind === 'networks') return listOf(text);
  if (text.trim() === '') return null;
  if (kind === 'text') return text.trim();
  if (kind === 'usd') return usdOf(text);
  return kind === 'time' ? startOf(text).toISOString() : Number(text);
}

/** What is sent: an empty field is no limit. */
export function settingsOf<Table extends SettingTable>(table: Table, entry: SettingEntry<Table>): SentSettings<Table> {
  const values: Values = entry;
  const fields = Object.entries(table).map(([property, setting]) => [
    bodyName(setting),
    sent(setting, values[property]),
  ]);
  return Object.fromEntries(fields) as SentSettings<Table>;
}

/** How a form of changes reads and sends them. */
export function settingRules<Table extends SettingTable>(table: Table) {
  return {
    entryOf: (shown: SettingsJson<Table>) => entryOf(table, shown),
    settingsOf: (entry: SettingEntry<Table>) => settingsOf(table, entry),
  };
}

/** Whether the form of a new resource differs from an empty one. */
export function isTyped<Table extends SettingTable>(table: Table, entry: SettingEntry<Table>): boolean {
  return JSON.stringify(entry) !== JSON.stringify(entryOf(table, null));
}
