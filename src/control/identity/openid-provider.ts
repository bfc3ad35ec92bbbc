import { isIP } from 'node:net';
import type * as openIdClient from 'openid-client';
import type { Configuration, ClientAuth } from 'openid-client';
import { refuse, type Refusal } from '../../domain/refusals.ts';

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
  /** Whether the provider vouches that the address is the user's. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
}

type Client = typeof openIdClient;

/** Loaded when somebody first signs in this way. */
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
  #known: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | null = null;

  /** `onFault` is called with what the log should say of an attempt that failed. */
  constructor(settings: OpenIdSettings, onFault: (fault: unknown) => void) {
    this.#settings = settings;
    this.#onFault = onFault;
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
      const hasEmail = typeof claims['email'] === 'string';
      const about = hasEmail ? claims : await client.fetchUserInfo(configuration, tokens.access_token, subject);
      return { issuer, subject, ...personOf(about) };
    } catch (fault) {
      this.#onFault(fault);
      return refuse('UNAUTHENTICATED', `The sign-in at ${this.name} failed: try again.`);
    }
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

  #discover(client: Client): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    // oxlint-disable-next-line typescript/no-deprecated -- for providers on this machine alone
    const { enableNonRepudiationChecks, allowInsecureRequests } = client;
    const execute = [enableNonRepudiationChecks, ...(isLocal(server) ? [allowInsecureRequests] : [])];
    const options = { execute, timeout: TIMEOUT_SECONDS };
    return client.discovery(server, clientId, undefined, clientAuth(client, clientSecret), options);
  }

  #unreachable(): Refusal {
    return refuse('SERVICE_UNAVAILABLE', `${this.name} can't be reached: try again in a moment.`, {
      retryAfterMs: 1_000,
    });
  }
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
    isEmailVerified: verified === true || verified === 'true',
    name: text('name') ?? text('preferred_username'),
  };
}
