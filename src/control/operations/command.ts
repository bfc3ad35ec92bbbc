import type { SettingTable } from '../resources/setting.ts';
import type { OperationId } from './operations.ts';

// What a command is, as data that the command line and the console share: the operation that it calls, and the words by which it
// is given the operation's parameters and fields. What it prints is code of the command line.

interface WordBase {
  /** An argument such as `<name>`, or `[usd]` if it may be left out; or an option such as `--below <usd>` or `--drop`. */
  readonly word: string;
  readonly help?: string;
  /** An option that must be given. */
  readonly required?: true;
}

/** One of the words behind a command's name, by how its text is read; as it is, unless a kind is given. `none` alone gives no names. */
export type Word =
  | (WordBase & {
      readonly kind?: 'text' | 'usd' | 'signed usd' | 'time' | 'time since' | 'names';
      readonly initial?: string;
    })
  | (WordBase & { readonly kind: 'count'; readonly max?: number; readonly initial?: number })
  | (WordBase & { readonly kind: 'hours'; readonly max: number })
  | (WordBase & { readonly kind: 'choice'; readonly of: readonly string[] })
  | (WordBase & { readonly kind: 'flag'; readonly initial?: false })
  /** `--enable` and `--disable`, each with its help. */
  | { readonly kind: 'switch'; readonly word: '--enable'; readonly help: string; readonly offHelp: string };

export interface CommandDeclaration {
  /** The operation that it calls; left out if the command's action is code. */
  readonly calls?: OperationId;
  readonly summary: string;
  /** What its help says, if not the summary. */
  readonly description?: string;
  /** The resource that has options for its settings. */
  readonly settings?: SettingTable;
  /** The words, by the names of the parameters and fields that they give. */
  readonly takes?: Readonly<Record<string, Word>>;
  /** Fields that it always gives. */
  readonly gives?: Readonly<Record<string, string | boolean>>;
  /** It is asked about before it is done, and takes `--yes`. */
  readonly isConfirmed?: true;
  /** The complaint if nothing is given to change. */
  readonly nothing?: string;
  /** The words of an example, behind its name. */
  readonly example: string;
}

/** Whether it is an option; else it is an argument. */
export function isOption({ word }: Word): boolean {
  return word.startsWith('-');
}

/** Commands by their names, such as `project create`. */
export type CommandTable = Readonly<Record<string, CommandDeclaration>>;

/** The value that a word gives: a flag is true, unless it is named as false where it is not given. */
export type WordValue<One> = One extends { readonly kind: 'count' | 'hours' }
  ? number
  : One extends { readonly kind: 'switch' } | { readonly kind: 'flag'; readonly initial: false }
    ? boolean
    : One extends { readonly kind: 'flag' }
      ? true
      : One extends { readonly word: `${string}...>` }
        ? string[]
        : One extends { readonly of: readonly (infer Choice)[] }
          ? Choice
          : string;
