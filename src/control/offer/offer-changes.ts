import {
  type Declaration,
  DeclarationFault,
  readStoredModel,
  readStoredProvider,
} from '../../config/stored-declarations.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope } from '../../domain/workspace-scope.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { type AuditedFields, recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { versionConflict } from '../audit/versions.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { DECLARATION_COLUMNS, type FileNames, keyPlace, type StoredDeclaration } from './stored-offer.ts';

// How operators change what the database offers beside the config file. What can't be used is refused.

interface Change {
  /** The provider's name, or the model's id. */
  readonly name: string;
  readonly declaration: Declaration;
  /** The version that it is expected to have, zero: none; null: any. */
  readonly version: number | null;
}

interface ChangeParts {
  readonly sql: Sql;
  readonly file: FileNames;
}

/**
 * Makes or replaces a provider. `apiKey`: the key; null: it needs none; undefined: the former one, which is kept for the same
 * address alone, so that nobody who may not read it can send it elsewhere. @throws KeyEncryptionFault, DatabaseUnavailable
 */
export async function storeProvider(
  { sql, file, keyring }: ChangeParts & { readonly keyring: Keyring },
  operator: OperatorScope,
  { name, declaration, version, apiKey }: Change & { readonly apiKey: string | null | undefined },
): Promise<StoredDeclaration | Refusal> {
  if (file.providers.includes(name)) return inFile('provider', name);
  const problem = problemOf(() => readStoredProvider({ name, declaration, apiKey: apiKey ?? null }));
  if (problem !== null) return problem;
  const encrypted = typeof apiKey === 'string' ? await keyring.encrypt(keyPlace(name), Buffer.from(apiKey)) : null;
  return await makeChange(sql, async (tx) => {
    const former = await lockDeclaration(tx, 'provider', name);
    const conflict = versionConflict(former?.version ?? 0, version);
    if (conflict !== null) return conflict;
    const isKept = apiKey === undefined && former !== null && former.encryptedKey !== null;
    if (isKept && addressOf(former.declaration) !== addressOf(declaration)) {
      return refuse('INVALID_REQUEST', 'The provider has another address now: send its key again.', {
        param: 'api_key',
      });
    }
    const stored = await upsert(tx, { kind: 'provider', name, declaration }, isKept ? former.encryptedKey : encrypted);
    await record(tx, operator, { former, stored, isKeyNew: encrypted !== null });
    return stored;
  });
}

function addressOf({ kind, base_url: baseUrl }: Declaration): string {
  return JSON.stringify([kind, baseUrl]);
}

/** Makes or replaces a model. */
export async function storeModel(
  { sql, file }: ChangeParts,
  operator: OperatorScope,
  { name, declaration, version }: Change,
): Promise<StoredDeclaration | Refusal> {
  if (file.models.includes(name)) return inFile('model', name);
  const complete = { id: name, ...declaration };
  if (complete.id !== name) {
    return refuse('INVALID_REQUEST', 'The declaration has the id of another model.', { param: 'declaration' });
  }
  return await makeChange(sql, async (tx) => {
    // Providers that its routes name stay for as long.
    const providers = await tx.query<{ readonly name: string }>(
      `select name from offer_declarations where kind = 'provider' for share`,
    );
    const known = [...file.providers, ...providers.map((provider) => provider.name)];
    const problem = problemOf(() => readStoredModel(complete, known));
    if (problem !== null) return problem;
    const former = await lockDeclaration(tx, 'model', name);
    const conflict = versionConflict(former?.version ?? 0, version);
    if (conflict !== null) return conflict;
    const stored = await upsert(tx, { kind: 'model', name, declaration: complete }, null);
    await record(tx, operator, { former, stored, isKeyNew: false });
    return stored;
  });
}

/** Removes a provider, or a model. Refused for a provider to which a stored model has a route. */
export async function removeDeclaration(
  sql: Sql,
  operator: OperatorScope,
  { kind, name, version }: Pick<StoredDeclaration, 'kind' | 'name'> & { readonly version: number | null },
): Promise<StoredDeclaration | Refusal> {
  return await makeChange(sql, async (tx) => {
    const former = await lockDeclaration(tx, kind, name);
    if (former === null) return refuse('NOT_FOUND', `The database has no ${kind} of this name.`);
    const conflict = versionConflict(former.version, version);
    if (conflict !== null) return conflict;
    const users = kind === 'provider' ? await modelsAt(tx, name) : [];
    if (users.length > 0) {
      return refuse('CONFLICT', `Models have a route to it: ${users.join(', ')}. Change or remove them first.`);
    }
    await tx.query('delete from offer_declarations where kind = $1 and name = $2', [kind, name]);
    await recordAudit(tx, operator, { action: `${kind}.delete`, target: { kind, id: name }, before: audited(former) });
    return former;
  });
}

async function modelsAt(tx: SqlRunner, provider: string): Promise<readonly string[]> {
  const rows = await tx.query<{ readonly name: string }>(
    `select name from offer_declarations
     where kind = 'model' and declaration -> 'routes' @> jsonb_build_array(jsonb_build_object('provider', $1::text))
     order by name limit 10`,
    [provider],
  );
  return rows.map(({ name }) => name);
}

async function lockDeclaration(
  tx: SqlRunner,
  kind: StoredDeclaration['kind'],
  name: string,
): Promise<StoredDeclaration | null> {
  // Those who make the same one at the same time have no row to wait for.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, lock_number(0)))`, [`declared ${kind} ${name}`]);
  const [row] = await tx.query<StoredDeclaration>(
    `select ${DECLARATION_COLUMNS} from offer_declarations where kind = $1 and name = $2 for update`,
    [kind, name],
  );
  return row ?? null;
}

async function upsert(
  tx: SqlRunner,
  { kind, name, declaration }: Pick<StoredDeclaration, 'kind' | 'name' | 'declaration'>,
  encryptedKey: Buffer | null,
): Promise<StoredDeclaration> {
  const [stored] = await tx.query<StoredDeclaration>(
    `insert into offer_declarations as former (kind, name, declaration, encrypted_key) values ($1, $2, $3::jsonb, $4)
     on conflict (kind, name) do update set declaration = excluded.declaration, encrypted_key = excluded.encrypted_key,
       version = former.version + 1, changed_at = now()
     returning ${DECLARATION_COLUMNS}`,
    [kind, name, JSON.stringify(declaration), encryptedKey],
  );
  if (stored === undefined) throw new Error('an upsert returns its row');
  return stored;
}

async function record(
  tx: SqlRunner,
  operator: OperatorScope,
  {
    former,
    stored,
    isKeyNew,
  }: { readonly former: StoredDeclaration | null; readonly stored: StoredDeclaration; readonly isKeyNew: boolean },
): Promise<void> {
  const { kind, name } = stored;
  const target = { kind, id: name };
  const after = { ...audited(stored), ...(isKeyNew && { key_changed: true }) };
  await recordAudit(
    tx,
    operator,
    former === null
      ? { action: `${kind}.create`, target, after: audited(stored) }
      : { action: `${kind}.update`, target, before: audited(former), after },
  );
}

/** What is recorded of a declaration: all but the key. */
function audited({ kind, declaration, encryptedKey }: StoredDeclaration): AuditedFields {
  const fields = Object.entries(declaration).map(([field, value]): [string, string | number | boolean | null] => [
    field,
    plainValue(value),
  ]);
  return { ...Object.fromEntries(fields), ...(kind === 'provider' && { has_key: encryptedKey !== null }) };
}

function plainValue(value: unknown): string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
}

/** The refusal of a declaration that can't be used; null if it can. */
function problemOf(read: () => unknown): Refusal | null {
  try {
    read();
    return null;
  } catch (fault) {
    if (!(fault instanceof DeclarationFault)) throw fault;
    return refuse('INVALID_REQUEST', `It can't be used: ${fault.message}.`, { param: 'declaration' });
  }
}

function inFile(what: string, name: string): Refusal {
  return refuse('CONFLICT', `The config file has the ${what} "${name}", which counts: change it there.`);
}
