import type { ModelConfig, ProviderConfig } from '../../config/config.ts';
import {
  type Declaration,
  DeclarationFault,
  readStoredModel,
  readStoredProvider,
} from '../../config/stored-declarations.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { CiphertextFault, type Place } from '../encryption/envelope.ts';
import { KeyEncryptionFault } from '../encryption/key-encryption.ts';
import type { Keyring } from '../encryption/keyring.ts';

// What the database offers beside the config file, as this process can use it. A declaration that it can't use is left out, with
// the reason; all others count.

/** A provider or a model as the database has it. */
export interface StoredDeclaration {
  readonly kind: 'provider' | 'model';
  /** The provider's name, or the model's id. */
  readonly name: string;
  readonly declaration: Declaration;
  readonly encryptedKey: Buffer | null;
  readonly version: number;
  readonly changedAt: Date;
}

/** The names that the config file declares, which count before those of the database. */
export interface FileNames {
  readonly providers: readonly string[];
  readonly models: readonly string[];
}

type Reading<Config> = StoredDeclaration & {
  /** Null: it can't be used, or the file has its name. */
  readonly config: Config | null;
  /** Why not all of it counts, for the operator; null if it does. */
  readonly problem: string | null;
};

export interface StoredOffer {
  readonly providers: readonly Reading<ProviderConfig>[];
  readonly models: readonly Reading<ModelConfig>[];
  /** The mark of what was read. */
  readonly mark: string;
}

export const DECLARATION_COLUMNS = `kind, name, declaration, encrypted_key as "encryptedKey", version, changed_at as "changedAt"`;

/** The place of a provider's key. */
export function keyPlace(provider: string): Place {
  return { table: 'offer_declarations', column: 'encrypted_key', row: provider };
}

/** All that is stored, providers first, in the order of their names. @throws DatabaseUnavailable */
export async function readStoredOffer(sql: SqlRunner, keyring: Keyring, file: FileNames): Promise<StoredOffer> {
  const rows = await sql.query<StoredDeclaration>(
    `select ${DECLARATION_COLUMNS} from offer_declarations order by kind desc, name`,
  );
  const providers: Reading<ProviderConfig>[] = [];
  for (const row of rows) {
    if (row.kind === 'provider') providers.push({ ...row, ...(await readProvider(row, keyring, file)) });
  }
  const usable = new Set([
    ...file.providers,
    ...providers.flatMap(({ name, config }) => (config === null ? [] : [name])),
  ]);
  const declared = [...new Set([...file.providers, ...providers.map(({ name }) => name)])];
  const models = await mapInSlices(
    rows.filter(({ kind }) => kind === 'model'),
    (row) => ({ ...row, ...readModel(row, { file, usable, declared }) }),
  );
  return { providers, models, mark: markOf(rows) };
}

type Outcome<Config> = Pick<Reading<Config>, 'config' | 'problem'>;

async function readProvider(
  { name, declaration, encryptedKey }: StoredDeclaration,
  keyring: Keyring,
  file: FileNames,
): Promise<Outcome<ProviderConfig>> {
  if (file.providers.includes(name)) return { config: null, problem: inFile('provider') };
  try {
    const apiKey = await decryptKey(keyring, name, encryptedKey);
    return { config: readStoredProvider({ name, declaration, apiKey }), problem: null };
  } catch (fault) {
    if (fault instanceof DeclarationFault) return { config: null, problem: `It can't be used: ${fault.message}.` };
    if (!(fault instanceof KeyEncryptionFault) && !(fault instanceof CiphertextFault)) throw fault;
    return { config: null, problem: `Its key can't be read on this instance: ${fault.message}.` };
  }
}

/** The key in clear; null if there is none. @throws KeyEncryptionFault, CiphertextFault, DatabaseUnavailable */
export async function decryptKey(keyring: Keyring, provider: string, encrypted: Buffer | null): Promise<string | null> {
  return encrypted === null ? null : (await keyring.decrypt(keyPlace(provider), encrypted)).toString();
}

/**
 * A model keeps the routes whose provider can be used here. Without any it is still the same model at the same price, which
 * other instances may sell.
 */
function readModel(
  { name, declaration }: StoredDeclaration,
  {
    file,
    usable,
    declared,
  }: { readonly file: FileNames; readonly usable: ReadonlySet<string>; readonly declared: readonly string[] },
): Outcome<ModelConfig> {
  if (file.models.includes(name)) return { config: null, problem: inFile('model') };
  try {
    const model = readStoredModel(declaration, declared);
    const lost = [...new Set(model.routes.map(({ provider }) => provider))].filter((provider) => !usable.has(provider));
    if (lost.length === 0) return { config: model, problem: null };
    const routes = model.routes.filter(({ provider }) => usable.has(provider));
    const sold = routes.length === 0 ? 'It is not sold by this instance' : 'It is sold without some of its routes';
    return { config: Object.freeze({ ...model, routes }), problem: `${sold}: ${lost.join(', ')} can't be used.` };
  } catch (fault) {
    if (fault instanceof DeclarationFault) return { config: null, problem: `It can't be used: ${fault.message}.` };
    throw fault;
  }
}

function inFile(what: string): string {
  return `The config file has a ${what} of this name, which counts in its place.`;
}

/** A text that differs after each change of what is stored. @throws DatabaseUnavailable */
export async function readOfferMark(sql: Pick<ControlSql, 'glance'>): Promise<string> {
  return markOf(
    await sql.glance<Marked>(
      `select kind, name, version, changed_at as "changedAt" from offer_declarations order by kind desc, name`,
    ),
  );
}

type Marked = Pick<StoredDeclaration, 'kind' | 'name' | 'version' | 'changedAt'>;

function markOf(rows: readonly Marked[]): string {
  return JSON.stringify(rows.map(({ kind, name, version, changedAt }) => [kind, name, version, changedAt.getTime()]));
}
