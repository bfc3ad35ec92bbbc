import { type Command, Option } from 'commander';
import { bodyName } from '../../control/resources/setting-values.ts';
import type { Setting, SettingsBody, SettingTable } from '../../control/resources/setting.ts';
import {
  countOrNone,
  instantOrNone,
  mappingOrNone,
  modelsOrNone,
  networksOrNone,
  notesOrNone,
  nullForNone,
  usdOrNone,
} from './option-values.ts';

// The options by which commands give the settings of a resource.

/** The options that a command was given, as Commander read them. */
export type GivenOptions = Readonly<Record<string, unknown>>;

function optionOf(setting: Setting): Option | null {
  if (setting.option === undefined) return null;
  const option = new Option(setting.option, setting.optionHelp);
  switch (setting.kind) {
    case 'name':
    case 'text':
      return option;
    case 'networks':
      return option.argParser(networksOrNone);
    case 'mapping':
      return option.argParser(mappingOrNone);
    case 'usd':
      return option.argParser(usdOrNone);
    case 'models':
      return option.argParser(modelsOrNone);
    case 'time':
      return option.argParser(instantOrNone);
    case 'notes':
      return option.argParser(notesOrNone);
    case 'count':
      return option.argParser(countOrNone);
    case 'choice':
      return option.choices(setting.of);
    case 'flag':
      return option.choices(['true', 'false']);
  }
}

/** Adds the options of a resource's settings to a command. */
export function addSettingOptions(command: Command, table: SettingTable): Command {
  for (const option of Object.values(table).map(optionOf)) if (option !== null) command.addOption(option);
  return command;
}

/** The settings that the options of a command give. Those that it does not give stay unchanged. */
export function settingsFromOptions<Table extends SettingTable>(
  table: Table,
  given: GivenOptions,
): SettingsBody<Table> {
  const fields = Object.values(table).flatMap((setting) => {
    const value = given[optionOf(setting)?.attributeName() ?? ''];
    if (value === undefined) return [];
    return [[bodyName(setting), setting.kind === 'flag' ? value === 'true' : nullForNone(value)]];
  });
  return Object.fromEntries(fields) as SettingsBody<Table>;
}
