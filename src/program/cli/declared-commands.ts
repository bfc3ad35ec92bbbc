import type { Command } from 'commander';
import type { AdminClient } from '../../control/admin/client.ts';
import { type Page, readAllPages } from '../../control/admin/client/all-pages.ts';
import type { CommandDeclaration, CommandTable } from '../../control/operations/command.ts';
import { paramNames } from '../../control/operations/operation.ts';
import { OPERATIONS } from '../../control/operations/operations.ts';
import { assert } from '../../lib/assert.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { type CliContext, globalsOf, type GlobalOptions } from './cli-context.ts';
import { type Column, columnsText } from './columns.ts';
import { addDeclared, givenValues, type Values } from './command-words.ts';
import type { Answer, Fitting, Given, Item } from './declared-types.ts';

// Commands that are declared as data: what they take and call follows from it; what they print is said here, for each.

/** What happens before the operation is called. */
interface Before<One extends CommandDeclaration> {
  /** Looks up the API's ids of what people call by other names. */
  readonly find?: (client: AdminClient, given: Given<One>) => Promise<Values>;
  /** What a command that is confirmed is about to do. */
  readonly confirm?: (given: Given<One>) => string;
}

/** What the action of a command is given. */
interface Invocation<One extends CommandDeclaration> {
  readonly given: Given<One>;
  readonly options: GlobalOptions;
  /** Asks before an irreversible action, unless --yes was given. */
  readonly confirm: (what: string) => Promise<void>;
}

type Action = (values: Values, own: { readonly yes?: boolean }, command: Command) => Promise<void>;

/** Adds commands of a table to the command above them, in the order in which they are named here. */
export class DeclaredCommands<Table extends CommandTable> {
  readonly #parent: Command;
  readonly #context: CliContext;
  readonly #table: CommandTable;

  constructor(parent: Command, context: CliContext, declarations: Table & Fitting<Table>) {
    this.#parent = parent;
    this.#context = context;
    this.#table = declarations;
  }

  /** A command that calls its operation and prints this about the answer. */
  say<Name extends keyof Table & string>(
    name: Name,
    textOf: (answer: Answer<Table[Name]>, given: Given<Table[Name]>) => string,
    { find, confirm }: Before<Table[Name]> = {},
  ): void {
    const context = this.#context;
    this.#add(name, async (values, own, command) => {
      const options = globalsOf(command);
      const given = values as Given<Table[Name]>;
      const found = find === undefined ? {} : await find(context.connect(options), given);
      if (confirm !== undefined) await context.confirm(confirm(given), own);
      const call = callOf(this.#declared(name), { ...values, ...found }, command);
      const answer = (await call(context.connect(options))) as Answer<Table[Name]>;
      context.print(options, answer, textOf(answer, given));
    });
  }

  /** A command that prints all items of its operation's list in columns; `empty` if there is none. */
  list<Name extends keyof Table & string>(
    name: Name,
    empty: string,
    columns: readonly Column<Item<Table[Name]>>[],
  ): void {
    const context = this.#context;
    this.#add(name, async (values, _own, command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const call = callOf(this.#declared(name), values, command);
      const data = await readAllPages((page) => call(client, page) as Promise<Page<Item<Table[Name]>>>);
      context.print(options, { data }, columnsText(data, empty, columns));
    });
  }

  /** A command with code as its action. Others can be added below it. */
  run<Name extends keyof Table & string>(
    name: Name,
    act: (invocation: Invocation<Table[Name]>) => Promise<void>,
  ): Command {
    const context = this.#context;
    return this.#add(name, async (values, own, command) => {
      const given = values as Given<Table[Name]>;
      await act({ given, options: globalsOf(command), confirm: (what) => context.confirm(what, own) });
    });
  }

  #add(name: string, act: Action): Command {
    const declaration = this.#declared(name);
    return addDeclared(this.#parent, name, declaration).action(async (...words: readonly unknown[]) => {
      const [own, command] = words.slice(-2) as [Values, Command];
      await act(givenValues(declaration, words, own), own, command);
    });
  }

  #declared(name: string): CommandDeclaration {
    const declaration = this.#table[name];
    assert(declaration !== undefined, `the command "${name}" is declared`);
    return declaration;
  }
}

/** The call of a command's operation: the parameters of its path, then the fields of its body or query. */
function callOf(declaration: CommandDeclaration, values: Values, command: Command) {
  const { calls, takes = {}, settings, gives, nothing } = declaration;
  assert(calls !== undefined, 'a command without an action calls an operation');
  const params = paramNames(OPERATIONS[calls].route);
  const fields = Object.entries(definedFields(values)).filter(([name]) => !params.includes(name));
  if (nothing !== undefined && fields.length === 0) command.error(nothing);
  // Of what is looked up, the workspace is not taken; of what may be the operator's, it may be left out.
  const named = params.filter((name) => name in takes).map((name) => values[name] ?? null);
  const takesFields = { ...takes, ...gives, ...settings };
  const hasFields = Object.keys(takesFields).some((name) => !params.includes(name));
  return (client: AdminClient, page?: object): Promise<unknown> => {
    const call = client[calls] as (...given: readonly unknown[]) => Promise<unknown>;
    return call(...named, ...(hasFields || page !== undefined ? [{ ...Object.fromEntries(fields), ...page }] : []));
  };
}
