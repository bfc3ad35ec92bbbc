import type { IdentityParts } from '../../identity/identity-parts.ts';
import type { OpenIdProvider } from '../../identity/openid-provider.ts';
import type { ResolveTxt } from '../../identity/workspace-domains.ts';
import type { WorkspaceProviders } from '../../identity/workspace-providers.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { TargetNetwork } from '../../../lib/target-network.ts';

/** The parts that the routes of users, sessions, members and tokens need. */
export interface IdentityDependencies extends IdentityParts {
  readonly sql: ControlSql;
  /** Null: users sign in by password only. */
  readonly openId: OpenIdProvider | null;
  /** The providers that workspaces name. */
  readonly providers: Pick<WorkspaceProviders, 'find'>;
  /** Where they may be. */
  readonly providerNetwork: TargetNetwork;
  readonly resolveTxt: ResolveTxt;
  /** The address under which people reach the instance, as configured. */
  readonly configuredUrl: string | null;
  /** Replaces the instance's own operator token; resolves with the new one. */
  readonly rotateOwnToken: () => Promise<string | Refusal>;
  /** Runs work after the answer, so that it doesn't change the answer's timing. */
  readonly later: (work: () => Promise<void>) => void;
}
