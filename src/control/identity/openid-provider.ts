import { isIP } from 'node:net';
import type * as openIdClient from 'openid-client';
import type { Configuration, ClientAuth } from 'openid-client';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { TargetNetwork } from '../../lib/target-network.ts';
import { fetchWithin } from './target-fetch.ts';

// Sign-in at an OpenID provider: the authorization code flow with PKCE, state and nonce. What an attempt needs at its end is
// kept by the browser that began it, in a cookie, so an answer counts in no other browser.

const TIMEOUT_SECONDS = 10;
/** How long the provider's metadata counts. */
const METADATA_MS = 3_600_000;
/** How long ago the user may have signed in at the provider to confirm who they are. */
const CONFIRMATION_SECONDS = 60;

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** How people know the provider. */
  readonly name: string;
  /** The claim with a person's groups; left out: groups are not read. */
  readonly groupsClaim?: string;
}

/** Signing in, confirming who the signed-in user is, or adding the provider's account to theirs. */
export type OpenIdPurpose = 'sign_in' | 'confirm' | 'link';

/** An attempt that has begun; a secret of the browser's. */
export interface OpenIdAttempt {
  readonly purpose: OpenIdPurpose;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A user as the provider knows them. */
export interface OpenIdUser {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider vouches that the address is the user's; null: it does not say. */
  readonly isEmailVerified: boolean | null;
  readonly name: string | null;
  /** Those of the claim that is asked for. */
  readonly groups?: readonly string[];
}

type Client = typeof openIdClient;

/** Loaded at the first sign-in of this kind. */
const loadClient = (): Promise<Client> => import('openid-client');

/** An issuer on this machine may be spoken to without TLS. */
function isLocal(url: URL): boolean {
  return (
    url.hostname === 'localhost' ||
    url.hostname === '[::1]' ||
    (isIP(url.hostname) === 4 && url.hostname.startsWith('127.'))
  );
}

/** Authenticates as the provider's metadata wants it; without a secret it only names the client. */
function clientAuth(client: Client, secret: string | null): ClientAuth {
  if (secret === null) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(server, metadata, body, headers);
  };
}

export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #onFault: (fault: unknown) => void;
  readonly #network: TargetNetwork | null;
  #known: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | null = null;

  /**
   * `onFault` is called with what the log should say of an attempt that failed. `network` bounds where a provider is reached that a
   * workspace names; null: the operator has named it.
   */
  constructor(settings: OpenIdSettings, onFault: (fault: unknown) => void, network: TargetNetwork | null = null) {
    this.#settings = settings;
    this.#onFault = onFault;
    this.#network = network;
  }

  get name(): string {
    return this.#settings.name;
  }

  /** Begins an attempt: where to send the browser, and what it keeps. */
  async begin(
    redirectUri: string,
    purpose: OpenIdPurpose,
  ): Promise<{ readonly url: string; readonly attempt: OpenIdAttempt } | Refusal> {
    const client = await loadClient();
    const configuration = await this.#configuration(client);
    if (configuration === null) return this.#unreachable();
    const attempt = {
      purpose,
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...(purpose === 'confirm' ? { prompt: 'login', max_age: String(CONFIRMATION_SECONDS) } : {}),
    });
    return { url: url.href, attempt };
  }

  /** Ends an attempt with the address that the provider has sent the browser to. */
  async finish(callback: URL, attempt: OpenIdAttempt): Promise<OpenIdUser | Refusal> {
    const client = await loadClient();
    const configuration = await this.#configuration(client);
    if (configuration === null) return this.#unreachable();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
        ...(attempt.purpose === 'confirm' ? { maxAge: CONFIRMATION_SECONDS } : {}),
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the provider sent no ID token');
      const { iss: issuer, sub: subject } = claims;
      const about = this.#isComplete(configuration, claims)
        ? claims
        : { ...(await client.fetchUserInfo(configuration, tokens.access_token, subject)), ...claims };
      const { groupsClaim } = this.#settings;
      const groups = groupsClaim === undefined ? {} : { groups: groupsOf(about, groupsClaim) };
      return { issuer, subject, ...personOf(about), ...groups };
    } catch (fault) {
      this.#onFault(fault);
      return refuse('UNAUTHENTICATED', `The sign-in at ${this.name} failed: try again.`);
    }
  }

  /** Whether an ID token has what is asked for, or nothing else would have it. */
  #isComplete(configuration: Configuration, claims: Readonly<Record<string, unknown>>): boolean {
    if (typeof claims['email'] !== 'string') return false;
    const { groupsClaim } = this.#settings;
    return (
      groupsClaim === undefined ||
      claims[groupsClaim] !== undefined ||
      configuration.serverMetadata().userinfo_endpoint === undefined
    );
  }

  async #configuration(client: Client): Promise<Configuration | null> {
    const nowMs = performance.now();
    if (this.#known === null || this.#known.untilMs < nowMs) {
      this.#known = { configuration: this.#discover(client), untilMs: nowMs + METADATA_MS };
    }
    try {
      return await this.#known.configuration;
    } catch (fault) {
      this.#known = null;
      this.#onFault(fault);
      return null;
    }
  }

  async #discover(client: Client): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    // oxlint-disable-next-line typescript/no-deprecated -- for providers on this machine alone
    const { enableNonRepudiationChecks, allowInsecureRequests } = client;
    const execute = [enableNonRepudiationChecks, ...(isLocal(server) ? [allowInsecureRequests] : [])];
    const ofNetwork = this.#network === null ? {} : { [client.customFetch]: fetchWithin(this.#network) };
    const options = { execute, timeout: TIMEOUT_SECONDS, ...ofNetwork };
    const found = await client.discovery(server, clientId, undefined, clientAuth(client, clientSecret), options);
    if (this.#network !== null) refuseAnotherIssuer(server, found);
    return found;
  }

  #unreachable(): Refusal {
    return refuse('SERVICE_UNAVAILABLE', `${this.name} can't be reached: try again in a moment.`, {
      retryAfterMs: 1_000,
    });
  }
}

/**
 * Of a provider that a workspace names, the metadata must name it as its issuer, which decides whose people it signs in. The library
 * makes exceptions: for addresses of metadata itself, and for issuers that stand for many tenants of a vendor.
 * @throws Error
 */
function refuseAnotherIssuer(server: URL, found: Configuration): void {
  const { issuer, authorization_endpoint: page = '' } = found.serverMetadata();
  if (!URL.canParse(issuer) || new URL(issuer).href !== server.href) {
    throw new Error(`the provider at ${server.href} names another issuer`);
  }
  if (!URL.canParse(page) || !['https:', server.protocol].includes(new URL(page).protocol)) {
    throw new Error(`the provider at ${server.href} has no page to sign in at`);
  }
}

const GROUPS_MAX = 1_000;

/** The groups in a claim: a list of names, or one name. */
function groupsOf(about: object, claim: string): readonly string[] {
  const value: unknown = Object.getOwnPropertyDescriptor(about, claim)?.value;
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  return groups.filter((group) => typeof group === 'string').slice(0, GROUPS_MAX);
}

function personOf(about: object): Pick<OpenIdUser, 'email' | 'isEmailVerified' | 'name'> {
  const claims: Readonly<Record<string, unknown>> = { ...about };
  const text = (name: string): string | null => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const verified = claims['email_verified'];
  return {
    email: text('email'),
    isEmailVerified: verified === undefined ? null : verified === true || verified === 'true',
    name: text('name') ?? text('preferred_username'),
  };
}
