import { checkedUsd, type NanoUsd, optionalAmountFields } from '../../domain/money.ts';
import { assert } from '../../lib/assert.ts';
import type { Notes, Setting, SettingsBody, SettingsJson, SettingsOf, SettingTable } from './setting.ts';

// Settings as they are written in rows, requests and answers. A table says of which type each value is; the code below passes
// them on by kind, and says at its ends what they are.

/** What a column holds, as JSON: amounts as digits, which a number in JSON would not hold. */
export type ColumnValue = string | number | boolean | null | readonly string[] | Notes;

type Values = Readonly<Record<string, unknown>>;

const entriesOf = (table: SettingTable): readonly (readonly [string, Setting])[] => Object.entries(table);

/** The name of a setting in the body of a request: the parameter that a refusal names. */
export function bodyName({ kind, wire }: Setting): string {
  return kind === 'usd' ? `${wire}_usd` : wire;
}

/** The column of a setting. */
export function columnName({ kind, wire, column }: Setting): string {
  return column ?? (kind === 'usd' ? `${wire}_nano_usd` : wire);
}

/** The columns of a resource's settings. */
export function columnNames(table: SettingTable): readonly string[] {
  return Object.values(table).map(columnName);
}

/** The value of an unset setting: no limit, every model, no notes. */
function initialValue(setting: Setting): unknown {
  if (setting.kind === 'choice' || setting.kind === 'flag') return setting.initial;
  return setting.kind === 'notes' || setting.kind === 'mapping' ? {} : null;
}

/** The settings of a resource about which nothing has been decided but its name. */
export function initialSettings<Table extends SettingTable>(table: Table): Omit<SettingsOf<Table>, 'name'> {
  const others = entriesOf(table).filter(([, { kind }]) => kind !== 'name');
  return Object.fromEntries(
    others.map(([property, setting]) => [property, initialValue(setting)]),
  ) as SettingsOf<Table>;
}

function columnValue(value: unknown): ColumnValue {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Date ? value.toISOString() : (value as ColumnValue);
}

/** The given settings by their columns, as JSON for a row; what is left out stays out. */
export function columnsOf<Table extends SettingTable>(
  table: Table,
  settings: Partial<SettingsOf<Table>>,
): Readonly<Record<string, ColumnValue>> {
  const values: Values = settings;
  const given = entriesOf(table).filter(([property]) => values[property] !== undefined);
  return Object.fromEntries(given.map(([property, setting]) => [columnName(setting), columnValue(values[property])]));
}

/** All settings by their columns, for an audit event, which has no objects in it: notes are JSON there. */
export function auditedSettings<Table extends SettingTable>(
  table: Table,
  settings: SettingsOf<Table>,
): Readonly<Record<string, Exclude<ColumnValue, Notes>>> {
  const flat = ([name, value]: readonly [string, ColumnValue]) =>
    [name, isNotes(value) ? JSON.stringify(value) : value] as const;
  return Object.fromEntries(Object.entries(columnsOf(table, settings)).map(flat));
}

function isNotes(value: ColumnValue): value is Notes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The settings of a row that has their columns. */
export function settingsFromRow<Table extends SettingTable>(table: Table, row: object): SettingsOf<Table> {
  const columns = row as Values;
  const read = (setting: Setting): unknown => {
    const value = columns[columnName(setting)];
    assert(value !== undefined, `a row has the column of ${setting.wire}`);
    // Counts above those of an integer are in columns of bigint.
    return setting.kind === 'count' && value !== null ? Number(value) : value;
  };
  return Object.fromEntries(
    entriesOf(table).map(([property, setting]) => [property, read(setting)]),
  ) as SettingsOf<Table>;
}

function jsonFields({ kind, wire }: Setting, value: unknown): object {
  if (kind === 'usd') return optionalAmountFields(wire, value as NanoUsd | null);
  if (Array.isArray(value)) return { [wire]: [...(value as readonly string[])] };
  return { [wire]: value instanceof Date ? value.toISOString() : value };
}

/** The fields of an answer. */
export function settingsJson<Table extends SettingTable>(
  table: Table,
  settings: SettingsOf<Table>,
): SettingsJson<Table> {
  const fields = entriesOf(table).map(([property, setting]) => jsonFields(setting, settings[property]));
  return Object.assign({}, ...fields) as SettingsJson<Table>;
}

function bodyValue({ kind }: Setting, value: unknown): unknown {
  if (value === null) return null;
  if (kind === 'usd') return checkedUsd(value as string);
  return kind === 'time' ? new Date(value as string) : value;
}

/** The settings that a request gives, which the contract has validated. One that is left out stays out, which differs from null. */
export function settingsFromBody<Table extends SettingTable>(
  table: Table,
  body: SettingsBody<Table>,
): { readonly [Property in keyof Table]?: SettingsOf<Table>[Property] } {
  const values: Values = body;
  const given = entriesOf(table).filter(([, setting]) => values[bodyName(setting)] !== undefined);
  const read = given.map(([property, setting]) => [property, bodyValue(setting, values[bodyName(setting)])]);
  return Object.fromEntries(read) as { readonly [Property in keyof Table]?: SettingsOf<Table>[Property] };
}
