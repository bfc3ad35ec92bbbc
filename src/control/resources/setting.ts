import type { NanoUsd } from '../../domain/money.ts';
import type { ModelPolicy } from '../../domain/policy.ts';

// What people decide about a resource is declared once, in a table of settings by the names of their properties. Rows, audit
// events, JSON, the API's document, options of commands and fields of forms are made from it.

interface SettingBase {
  /** Its name in the API; that of an amount has `_usd` behind it there, in answers `_nano_usd` too. */
  readonly wire: string;
  /** Its column, if that is not named as in the API. */
  readonly column?: string;
  /** What the API's document says of it. */
  readonly description?: string;
  /** Its option of commands, and the words about it there. */
  readonly option?: string;
  readonly optionHelp?: string;
  /** The label of its field in forms, and the words below it. */
  readonly label: string;
  readonly help?: string;
}

/** A setting, by what it may be. Of a count, an amount, a policy, a time, a text and networks, null is none. */
export type Setting =
  | (SettingBase & { readonly kind: 'name' | 'usd' | 'models' | 'time' | 'notes' | 'networks' })
  | (SettingBase & { readonly kind: 'text'; readonly max: number })
  /** The word for each text. */
  | (SettingBase & { readonly kind: 'mapping'; readonly to: readonly string[] })
  | (SettingBase & { readonly kind: 'count'; readonly max: number })
  | (SettingBase & {
      readonly kind: 'choice';
      readonly of: readonly string[];
      readonly initial: string;
      /** What forms call each of them. */
      readonly words: Readonly<Record<string, string>>;
    })
  | (SettingBase & { readonly kind: 'flag'; readonly initial: boolean });

/** The settings of a resource, by their properties, in the order in which they are shown. */
export type SettingTable = Readonly<Record<string, Setting>>;

/** Notes by their names, or words by their texts. */
export type Notes = Readonly<Record<string, string>>;

interface KindValues {
  readonly name: string;
  readonly usd: NanoUsd | null;
  readonly models: ModelPolicy;
  readonly time: Date | null;
  readonly notes: Notes;
  readonly mapping: Notes;
  readonly networks: readonly string[] | null;
  readonly text: string | null;
  readonly count: number | null;
  readonly flag: boolean;
}

interface KindBodies extends Omit<KindValues, 'usd' | 'models' | 'networks' | 'time'> {
  readonly usd: string | null;
  readonly models: string[] | null;
  readonly networks: string[] | null;
  readonly time: string | null;
}

type In<Kinds, One extends Setting> = One extends { readonly of: readonly (infer Choice)[] }
  ? Choice
  : One['kind'] extends keyof Kinds
    ? Kinds[One['kind']]
    : never;

type BodyName<One extends Setting> = One['kind'] extends 'usd' ? `${One['wire']}_usd` : One['wire'];
type JsonName<One extends Setting> = One['kind'] extends 'usd'
  ? `${One['wire']}_nano_usd` | BodyName<One>
  : One['wire'];

/** The values of settings: amounts in nano-USD. */
export type SettingsOf<Table extends SettingTable> = {
  readonly [Property in keyof Table]: In<KindValues, Table[Property]>;
};

/** Settings in the body of a request; one that is left out stays as it is. Amounts are decimals of USD. */
export type SettingsBody<Table extends SettingTable> = {
  [Property in keyof Table as BodyName<Table[Property]>]?: In<KindBodies, Table[Property]> | undefined;
};

/** Settings in an answer. */
export type SettingsJson<Table extends SettingTable> = {
  [Property in keyof Table as JsonName<Table[Property]>]: In<KindBodies, Table[Property]>;
};
