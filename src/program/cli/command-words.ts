import { Argument, type Command, Option } from 'commander';
import { type CommandDeclaration, isOption, type Word } from '../../control/operations/command.ts';
import {
  countAboveZero,
  countUpTo,
  hoursUpTo,
  instant,
  NONE,
  signedUsd,
  timeSince,
  usd,
  yesOption,
} from './option-values.ts';
import { addSettingOptions, type GivenOptions, settingsFromOptions } from './setting-options.ts';

// Words of declared commands: their registration with Commander, and the reading of their values.

/** Values by the names of the parameters and fields that they give. */
export type Values = Readonly<Record<string, unknown>>;

type Reader = (text: string) => string | number;

function readerOf(word: Word): Reader | null {
  switch (word.kind) {
    case 'usd':
      return usd;
    case 'signed usd':
      return signedUsd;
    case 'time':
      return instant;
    case 'time since':
      return timeSince;
    case 'count':
      return word.max === undefined ? countAboveZero : countUpTo(word.max);
    case 'hours':
      return hoursUpTo(word.max);
    default:
      return null;
  }
}

function argumentOf(word: Word): Argument {
  const argument = new Argument(word.word, word.help);
  const read = readerOf(word);
  if (word.kind === 'choice') return argument.choices(word.of);
  return read === null ? argument : argument.argParser(read);
}

function optionsOf(word: Word): readonly Option[] {
  const option = new Option(word.word, word.help);
  if (word.kind === 'switch') return [option.conflicts('disable'), new Option('--disable', word.offHelp)];
  const read = readerOf(word);
  if (read !== null) option.argParser(read);
  if (word.kind === 'choice') option.choices(word.of);
  // Of a flag, the help would say it too.
  else if (word.kind !== 'flag' && 'initial' in word) option.default(word.initial);
  return [option.makeOptionMandatory(word.required === true)];
}

/** Adds a declared command to the command above it, without an action. */
export function addDeclared(parent: Command, name: string, declaration: CommandDeclaration): Command {
  const command = parent.command(name.split(' ').at(-1) ?? name).summary(declaration.summary);
  if (declaration.description !== undefined) command.description(declaration.description);
  if (declaration.settings !== undefined) addSettingOptions(command, declaration.settings);
  for (const word of Object.values(declaration.takes ?? {})) {
    if (!isOption(word)) command.addArgument(argumentOf(word));
    else for (const option of optionsOf(word)) command.addOption(option);
  }
  if (declaration.isConfirmed) command.addOption(yesOption());
  return command.addHelpText('after', `\nExample:\n  $ faregate ${name} ${declaration.example}`.trimEnd());
}

function optionValue(word: Word, own: GivenOptions): unknown {
  const [option] = optionsOf(word);
  const value = own[option?.attributeName() ?? ''];
  if (word.kind === 'switch') return value ?? (own['disable'] === true ? false : undefined);
  if (word.kind === 'flag') return value ?? word.initial;
  if (word.kind === 'names' && Array.isArray(value) && value.length === 1 && value[0] === NONE) return [];
  return value;
}

/** The values of a command's words and settings, as Commander has read them; undefined for those that were not given. */
export function givenValues(
  { takes = {}, settings, gives }: CommandDeclaration,
  texts: readonly unknown[],
  own: GivenOptions,
): Values {
  const args = Object.entries(takes).filter(([, word]) => !isOption(word));
  const options = Object.entries(takes).filter(([, word]) => isOption(word));
  return {
    ...(settings === undefined ? {} : settingsFromOptions(settings, own)),
    ...Object.fromEntries(args.map(([name], at) => [name, texts[at]])),
    ...Object.fromEntries(options.map(([name, word]) => [name, optionValue(word, own)])),
    ...gives,
  };
}
