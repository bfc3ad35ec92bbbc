import type { ModelTerms, Route } from '../domain/model.ts';

// One frozen Config, made at boot from flags, environment, file and defaults, in that order of precedence.

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** Processes that share the port. */
  readonly workers: number;
  readonly bodyBytesMax: number;
  readonly headerBytesMax: number;
  /** Bytes of request and answer bodies that all requests together may hold in memory. */
  readonly bufferedBytesMax: number;
  readonly connectionsMax: number;
}

export interface DatabaseConfig {
  /** Null: the embedded PostgreSQL in the data directory. */
  readonly url: string | null;
  readonly connectionsMax: number;
}

/** Milliseconds, all of them. */
export interface TimeoutConfig {
  /** A caller's headers, and a caller's whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A plain call as a whole: below the 300 s after which HTTP clients give up and pay again. */
  readonly plainMs: number;
  readonly upstreamConnectMs: number;
  readonly upstreamFirstByteMs: number;
  readonly upstreamIdleMs: number;
  /** Silence after which a stream's 200 goes out with comment pings, and the time between pings. */
  readonly pingMs: number;
  /** How long an abandoned stream is read on for its usage. */
  readonly usageMs: number;
  /** How long a hold waits for other holds to close. */
  readonly holdWaitMs: number;
  readonly drainMs: number;
  /** Silence after which a process counts as dead. */
  readonly epochMs: number;
}

export type ProviderKind = 'openai' | 'sandbox';

export interface ProviderConfig {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The field in which this upstream obeys an output cap. */
  readonly capField: 'max_tokens' | 'max_completion_tokens';
  /** It runs on without end unless it is sent a cap. */
  readonly needsCap: boolean;
}

/** A model as the file describes it; it is sold once its terms are an active price version. */
export interface ModelConfig {
  readonly id: string;
  readonly terms: ModelTerms;
  readonly routes: readonly Route[];
}

export interface Config {
  /** The file it was read from; null where there was none. */
  readonly file: string | null;
  readonly dataDirectory: string;
  readonly server: ServerConfig;
  readonly database: DatabaseConfig;
  readonly timeouts: TimeoutConfig;
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly ModelConfig[];
  /** Names of environment variables that hold something and look like a provider's API key. Their values stay there. */
  readonly providerKeyVariables: readonly string[];
  /** Whether a first boot makes a workspace, a project and a key. */
  readonly bootstrap: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}
