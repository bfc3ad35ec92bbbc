import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Sql, SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { endSessionsOfProvider } from './workspace-access.ts';

// The domains of mail addresses that are a workspace's own. A domain decides over the accounts of its people, so it counts only
// once it is proven: by a record in its DNS, which only its owner can set, or by the operator, who knows whose it is.

const DOMAINS_MAX = 50;
const TOKEN_BYTES = 20;
/** Where the record stands, below the domain. */
const RECORD_LABEL = '_faregate';
const RECORD_START = 'faregate-domain=';
const RESOLVE_MS = 2_000;
const RESOLVE_TRIES = 2;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Resolves the TXT records of a name. @throws if there are none, or it can't be resolved */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

/** A domain that a workspace says is its own. */
export interface WorkspaceDomain {
  readonly domain: string;
  /** The name and the content of the TXT record that proves it. */
  readonly recordName: string;
  readonly recordValue: string;
  readonly provenAt: Date | null;
  readonly provenBy: 'dns' | 'operator' | null;
  readonly createdAt: Date;
}

interface DomainRow extends Omit<WorkspaceDomain, 'recordName' | 'recordValue'> {
  readonly token: string;
}

const COLUMNS = `domain, token, proven_at as "provenAt", proven_by as "provenBy", created_at as "createdAt"`;

function toDomain({ token, ...row }: DomainRow): WorkspaceDomain {
  return { ...row, recordName: `${RECORD_LABEL}.${row.domain}`, recordValue: RECORD_START + token };
}

/** The workspace's domains, by name. */
export async function listDomains(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
): Promise<readonly WorkspaceDomain[]> {
  const rows = await sql.query<DomainRow>(
    `select ${COLUMNS} from workspace_domains where workspace_id = $1 order by domain`,
    [workspaceId],
  );
  return rows.map(toDomain);
}

/** Adds a domain, which is not proven yet. One that is there already stays as it is. */
export async function addDomain(sql: Sql, scope: WorkspaceScope, given: string): Promise<WorkspaceDomain | Refusal> {
  const domain = given.trim().toLowerCase();
  if (!DOMAIN.test(domain)) {
    return refuse(
      'INVALID_REQUEST',
      '"domain" must be what stands behind the "@" of mail addresses, such as example.com.',
      {
        param: 'domain',
      },
    );
  }
  const { workspaceId } = scope;
  return await makeChange(sql, async (tx) => {
    await tx.query('select 1 from workspaces where id = $1 for no key update', [workspaceId]);
    const present = await listDomains(tx, scope);
    const known = present.find((each) => each.domain === domain);
    if (known !== undefined) return known;
    if (present.length >= DOMAINS_MAX) {
      return refuse('CONFLICT', `A workspace has ${DOMAINS_MAX} domains at most: remove one first.`);
    }
    const [row] = await tx.query<DomainRow>(
      `insert into workspace_domains (workspace_id, domain, token) values ($1, $2, $3) returning ${COLUMNS}`,
      [workspaceId, domain, randomBytes(TOKEN_BYTES).toString('hex')],
    );
    if (row === undefined) throw new Error('an inserted domain is there');
    await recordAudit(tx, scope, { action: 'domain.add', target: target(domain) });
    return toDomain(row);
  });
}

function target(domain: string) {
  return { kind: 'domain', id: domain, name: domain };
}

/** Proves a domain by the record in its DNS; one that is proven stays so. Refused if there is no such record. */
export async function proveDomain(
  { sql, resolveTxt }: { readonly sql: Sql; readonly resolveTxt: ResolveTxt },
  scope: WorkspaceScope,
  domain: string,
): Promise<WorkspaceDomain | Refusal> {
  const present = await findDomain(sql, scope, domain);
  if (isRefusal(present) || present.provenAt !== null) return present;
  const { recordName, recordValue } = present;
  if (!(await hasRecord(resolveTxt, recordName, recordValue))) {
    const message = `There is no TXT record ${recordName} with ${recordValue}. A new one can take an hour to be seen everywhere.`;
    return refuse('CONFLICT', message);
  }
  return await noteProof(sql, scope, { domain, by: 'dns' });
}

/** Notes that the operator knows the domain to be the workspace's; one that is proven stays as it is. */
export async function approveDomain(
  sql: Sql,
  scope: WorkspaceScope,
  domain: string,
): Promise<WorkspaceDomain | Refusal> {
  const present = await findDomain(sql, scope, domain);
  if (isRefusal(present) || present.provenAt !== null) return present;
  return await noteProof(sql, scope, { domain, by: 'operator' });
}

async function noteProof(
  sql: Sql,
  scope: WorkspaceScope,
  { domain, by }: { readonly domain: string; readonly by: 'dns' | 'operator' },
): Promise<WorkspaceDomain | Refusal> {
  try {
    return await makeChange(sql, async (tx) => {
      await tx.query(
        `update workspace_domains set proven_at = null, proven_by = null
         from workspaces
         where workspaces.id = workspace_domains.workspace_id and workspaces.archived_at is not null and domain = $1`,
        [domain],
      );
      const [row] = await tx.query<DomainRow>(
        `update workspace_domains set proven_at = now(), proven_by = $3
         where workspace_id = $1 and domain = $2 and proven_at is null returning ${COLUMNS}`,
        [scope.workspaceId, domain, by],
      );
      if (row === undefined) return await findDomain(tx, scope, domain);
      await recordAudit(tx, scope, { action: 'domain.prove', target: target(domain), after: { by } });
      return toDomain(row);
    });
  } catch (fault) {
    if (!(fault instanceof SqlFault) || fault.constraint !== 'workspace_domains_proven') throw fault;
    const message = `Another workspace has proven ${domain} to be its own: ask the operator of this instance.`;
    return refuse('CONFLICT', message);
  }
}

/** Removes a domain. Sessions end that the workspace's provider has begun for its people, save the one that removes it. */
export async function removeDomain(sql: Sql, scope: WorkspaceScope, domain: string): Promise<Refusal | null> {
  const removed = await makeChange(sql, async (tx) => {
    const present = await findDomain(tx, scope, domain);
    if (isRefusal(present)) return present;
    await tx.query('delete from workspace_domains where workspace_id = $1 and domain = $2', [
      scope.workspaceId,
      domain,
    ]);
    await endSessionsOfProvider(tx, scope, domain);
    await recordAudit(tx, scope, {
      action: 'domain.remove',
      target: target(domain),
      before: { proven_by: present.provenBy },
    });
    return present;
  });
  return isRefusal(removed) ? removed : null;
}

async function findDomain(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  domain: string,
): Promise<WorkspaceDomain | Refusal> {
  const [row] = await sql.query<DomainRow>(
    `select ${COLUMNS} from workspace_domains where workspace_id = $1 and domain = $2`,
    [workspaceId, domain],
  );
  return row === undefined ? refuse('NOT_FOUND', 'There is no such domain.') : toDomain(row);
}

async function hasRecord(resolveTxt: ResolveTxt, name: string, value: string): Promise<boolean> {
  try {
    return (await resolveTxt(name)).some((parts) => parts.join('') === value);
  } catch {
    return false;
  }
}

/** By DNS alone, within some seconds. */
export const resolveTxtByDns: ResolveTxt = async (name) =>
  await new Resolver({ timeout: RESOLVE_MS, tries: RESOLVE_TRIES }).resolveTxt(name);
