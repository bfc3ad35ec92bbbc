import type { AdminClient } from '../../control/admin/client.ts';
import type { Page } from '../../control/admin/client/all-pages.ts';
import type { CommandDeclaration, WordValue } from '../../control/operations/command.ts';
import type { ParamNames } from '../../control/operations/operation.ts';
import type { OperationId, OPERATIONS } from '../../control/operations/operations.ts';

// What the compiler knows of declared commands: what they are given, what they are answered, and that their words fit the
// operation that they call.

type TakenBy<One extends CommandDeclaration> = One extends { readonly takes: infer Words } ? Words : object;

type IsAlwaysGiven<One> = One extends
  | { readonly required: true }
  | { readonly word: `<${string}` }
  | { readonly initial: unknown }
  ? true
  : false;

/** The values of a command's words, by the names of the parameters and fields that they give. */
export type Given<One extends CommandDeclaration, Words = TakenBy<One>> = {
  readonly [Name in keyof Words as IsAlwaysGiven<Words[Name]> extends true ? Name : never]: WordValue<Words[Name]>;
} & {
  readonly [Name in keyof Words as IsAlwaysGiven<Words[Name]> extends true ? never : Name]?: WordValue<Words[Name]>;
};

/** What a command is answered. */
export type Answer<One extends CommandDeclaration> = One extends { readonly calls: infer Id extends OperationId }
  ? Awaited<ReturnType<AdminClient[Id]>>
  : never;

/** An item of the list that a command prints. */
export type Item<One extends CommandDeclaration> = Answer<One> extends Page<infer Each> ? Each : never;

/** The bodies and queries that a call of an operation takes. */
type Fields<Id extends OperationId> = Extract<Parameters<AdminClient[Id]>[number], object>;
type FieldOf<All, Name> = All extends unknown ? (Name extends keyof All ? All[Name] : never) : never;

// Queries have their flags as texts. Which names there are is left to the API.
type FitsField<Field, Value> = [Value] extends [Field | (Field extends 'true' ? boolean : never)]
  ? true
  : [Value, Field] extends [string[], readonly string[] | undefined]
    ? true
    : false;

type Fits<Id extends OperationId, Name, Value> = Name extends ParamNames<(typeof OPERATIONS)[Id]['route']>[number]
  ? true
  : FitsField<FieldOf<Fields<Id>, Name>, Value>;

/** The words that a command's operation has no parameter or field for, or one of another type. */
type Misfits<One> = One extends { readonly calls: infer Id extends OperationId; readonly takes: infer Words }
  ? { [Name in keyof Words]: Fits<Id, Name, WordValue<Words[Name]>> extends true ? never : Name }[keyof Words]
  : never;

/** A table of commands that fit their operations; otherwise, the words that don't fit. */
export type Fitting<Table> = {
  readonly [Name in keyof Table]: [Misfits<Table[Name]>] extends [never] ? unknown : { misfits: Misfits<Table[Name]> };
};
