import { randomUUID } from 'node:crypto';
import { createWorkspace } from '../../control/accounts/workspaces.ts';
import type { IdentityDependencies } from '../../control/admin/identity/identity-dependencies.ts';
import { queueMail } from '../../control/alerts/mail-queue.ts';
import type { Config, ServerConfig } from '../../config/config.ts';
import { isRefusal, refuse } from '../../domain/refusals.ts';
import { authoriseOperator } from '../../domain/workspace-scope.ts';
import { AttemptLimits } from '../../control/identity/attempts.ts';
import type { OpenWorkspace, SendMail } from '../../control/identity/identity-parts.ts';
import { OpenIdProvider } from '../../control/identity/openid-provider.ts';
import { PasswordHasher } from '../../control/identity/password-hasher.ts';
import { resolveTxtByDns } from '../../control/identity/workspace-domains.ts';
import { WorkspaceProviders } from '../../control/identity/workspace-providers.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Home } from '../process/data-directory.ts';
import { givenToken, KeptToken, type OwnToken } from '../process/operator-token.ts';
import type { Log } from '../telemetry/log.ts';

/** The parts of one process that know people and tokens. */
export interface Identity {
  readonly ownToken: OwnToken;
  /** For the admin API; `url` is where the process listens. */
  readonly dependencies: (url: () => string) => IdentityDependencies;
}

interface IdentitySurroundings {
  readonly config: Config;
  readonly home: Home;
  readonly keyring: Keyring;
  readonly sql: ControlSql;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

/** Puts them together. */
export function createIdentity({ config, home, keyring, sql, clock, log, closing }: IdentitySurroundings): Identity {
  const { server, identity, operatorToken } = config;
  const ownToken =
    operatorToken === null ? new KeptToken(home.path, home.operatorToken, clock) : givenToken(operatorToken);
  const hasher = new PasswordHasher();
  closing.defer(() => hasher.stop());
  const openId =
    identity.oidc === null
      ? null
      : new OpenIdProvider(identity.oidc, (fault) => log.warn({ err: fault }, 'a sign-in by OpenID failed'));
  const providerNetwork = new TargetNetwork(config.webhooks.allowedNetworks);
  const onProviderFault = (fault: unknown): void =>
    log.warn({ err: fault }, "a sign-in at a workspace's own provider failed");
  const providers = new WorkspaceProviders({ sql, keyring, network: providerNetwork, onFault: onProviderFault });
  const limits = new AttemptLimits(clock);
  const later = (work: () => Promise<void>): void => {
    work().catch((fault: unknown) => log.warn({ err: fault }, 'a mail with a link could not be queued'));
  };
  return {
    ownToken,
    dependencies: (url) => ({
      sql,
      keyring,
      hasher,
      limits,
      openId,
      providers,
      providerNetwork,
      resolveTxt: resolveTxtByDns,
      later,
      sendMail: config.mail === null ? null : sendLink,
      configuredUrl: server.publicUrl,
      publicUrl: () => server.publicUrl ?? url(),
      allowsSignUp: identity.signUp,
      openWorkspace,
      rotateOwnToken: async () => (await ownToken.replace()) ?? refuse('CONFLICT', SET_ELSEWHERE),
    }),
  };
}

/** The instance makes the workspace of a sign-up: only operators may make others. */
const openWorkspace: OpenWorkspace = async (tx, act, name) => {
  const byInstance = { ...act, actor: { kind: 'job', name: `sign-up of ${act.actor.email}` } } as const;
  const scope = authoriseOperator(byInstance, 'write');
  return isRefusal(scope) ? scope : await createWorkspace(tx, scope, { name });
};

const SET_ELSEWHERE =
  'The operator token of this instance is set by FAREGATE_OPERATOR_TOKEN: change it there, and start the instances again.';

/** Its content is erased once it is sent: the link in it works like a password. */
const sendLink: SendMail = (tx, mail) => queueMail(tx, { ...mail, once: randomUUID(), isSecret: true });

/** The names under which browsers can reach the instance, except addresses and `localhost`. */
export function hostNamesOf(publicUrl: string | null): readonly string[] {
  return publicUrl === null ? [] : [new URL(publicUrl).hostname];
}

const LOCAL_HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/** What the operator should know of the cookies of sessions. */
export function cookieProblems({ publicUrl, host }: Pick<ServerConfig, 'publicUrl' | 'host'>): readonly string[] {
  const travelsOpenly =
    publicUrl === null
      ? !LOCAL_HOSTS.includes(host)
      : !publicUrl.startsWith('https:') && !LOCAL_HOSTS.includes(new URL(publicUrl).hostname);
  if (!travelsOpenly) return [];
  return [
    'Session cookies travel without TLS, so everybody on the way can use them: put a proxy that speaks TLS in front, and set server.public_url to its https address.',
  ];
}
