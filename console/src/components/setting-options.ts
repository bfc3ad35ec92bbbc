import { bodyName } from '../../../src/control/resources/setting-values.ts';
import type { SettingTable } from '../../../src/control/resources/setting.ts';

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

/** The options that give these settings. In a change, `none` clears a limit; a new resource needs no words about what it lacks. */
export function settingOptions(
  table: SettingTable,
  values: Readonly<Record<string, unknown>>,
  isChange: boolean,
): readonly string[] {
  return Object.values(table).flatMap((setting) => {
    const value = values[bodyName(setting)];
    const [option] = setting.option?.split(' ') ?? [];
    if (option === undefined || value === undefined || (isNothing(value) && !isChange)) return [];
    return [option, ...wordsOf(value)];
  });
}
