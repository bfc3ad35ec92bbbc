import { bodyName } from '../../../src/control/resources/setting-values.ts';
import type { SettingsBody, SettingTable } from '../../../src/control/resources/setting.ts';

/** No limit, every model, no notes. */
function isNothing(value: unknown): boolean {
  return value === null || (value instanceof Object && Object.keys(value).length === 0);
}

function wordsOf(value: unknown): readonly string[] {
  if (isNothing(value)) return ['none'];
  if (Array.isArray(value)) return [value.join(',')];
  if (!(value instanceof Object)) return [String(value)];
  return Object.entries(value).map(([name, note]) => `${name}=${String(note)}`);
}

/** The options of a command that gives these settings. `none` clears a limit. */
export function settingOptions<Table extends SettingTable>(table: Table, body: SettingsBody<Table>): readonly string[] {
  const values: Readonly<Record<string, unknown>> = body;
  return Object.values(table).flatMap((setting) => {
    const value = values[bodyName(setting)];
    const [option] = setting.option?.split(' ') ?? [];
    return option === undefined || value === undefined ? [] : [option, ...wordsOf(value)];
  });
}

/** The same for a new resource, which needs no words about what it does not have. */
export function newSettingOptions<Table extends SettingTable>(
  table: Table,
  body: SettingsBody<Table>,
): readonly string[] {
  const said = Object.entries(body).filter(([, value]) => !isNothing(value));
  return settingOptions(table, Object.fromEntries(said) as SettingsBody<Table>);
}
