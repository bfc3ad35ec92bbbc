import type { Keyring } from '../encryption/keyring.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { TargetNetwork } from '../../lib/target-network.ts';
import { domainOf, normalisedEmail } from './emails.ts';
import { OpenIdProvider } from './openid-provider.ts';
import { readProviderSettings } from './workspace-access.ts';

/** The providers with cached metadata. */
const REMEMBERED_MAX = 200;
const GROUPS_CLAIM = 'groups';

/** A workspace with a provider, as its people know it. */
export interface WorkspaceProvider {
  readonly workspaceId: string;
  readonly name: string;
}

/** The workspace at whose provider people with this address sign in, by the domain that it has proven; null if there is none. */
export async function findProviderOf(sql: SqlRunner, email: string): Promise<WorkspaceProvider | null> {
  const address = normalisedEmail(email);
  if (address === null) return null;
  const [found] = await sql.query<WorkspaceProvider>(
    `select workspaces.id as "workspaceId", workspaces.name
     from workspace_domains
       join workspace_access on workspace_access.workspace_id = workspace_domains.workspace_id
       join workspaces on workspaces.id = workspace_domains.workspace_id
     where workspace_domains.domain = $1 and workspace_domains.proven_at is not null
       and workspace_access.issuer is not null and workspaces.archived_at is null and workspaces.closing_at is null`,
    [domainOf(address)],
  );
  return found ?? null;
}

/** Whether any workspace has its own provider and a proven domain that signs in there. */
export async function hasProviders(sql: SqlRunner): Promise<boolean> {
  const [found] = await sql.query(
    `select from workspace_access join workspace_domains on workspace_domains.workspace_id = workspace_access.workspace_id
     where issuer is not null and proven_at is not null limit 1`,
  );
  return found !== undefined;
}

interface ProviderParts {
  readonly sql: SqlRunner;
  readonly keyring: Keyring;
  /** Where workspaces' providers may be. */
  readonly network: TargetNetwork;
  readonly onFault: (fault: unknown) => void;
}

/** The providers of workspaces, each as its workspace has set it up now. */
export class WorkspaceProviders {
  readonly #parts: ProviderParts;
  /** The oldest first. */
  readonly #remembered = new Map<string, { readonly version: number; readonly provider: OpenIdProvider }>();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
  }

  /** The provider of a workspace; null if it has none. @throws KeyEncryptionFault, DatabaseUnavailable */
  async find(workspaceId: string): Promise<OpenIdProvider | null> {
    const { sql, keyring, network, onFault } = this.#parts;
    const found = await readProviderSettings(sql, keyring, workspaceId);
    if (found === null) return null;
    const { access, clientSecret } = found;
    const { issuer, clientId, groupsClaim, version } = access;
    if (issuer === null || clientId === null) return null;
    const known = this.#remembered.get(workspaceId);
    if (known?.version === version) return known.provider;
    const settings = {
      issuer,
      clientId,
      clientSecret,
      name: 'the provider of your company',
      groupsClaim: groupsClaim ?? GROUPS_CLAIM,
    };
    const provider = new OpenIdProvider(settings, onFault, network);
    this.#remember(workspaceId, version, provider);
    return provider;
  }

  #remember(workspaceId: string, version: number, provider: OpenIdProvider): void {
    this.#remembered.delete(workspaceId);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= REMEMBERED_MAX && oldest !== undefined) this.#remembered.delete(oldest);
    this.#remembered.set(workspaceId, { version, provider });
  }
}
