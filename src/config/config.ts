import type { ModelTerms, Route } from '../domain/model.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { OpenAiProfileName } from './openai-profile-names.ts';

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
  /** Open connections of callers. */
  readonly connectionsMax: number;
  /** Those of callers at one address; null: half of all. */
  readonly connectionsPerAddressMax: number | null;
  /** The address under which people reach the instance, without a slash at its end; null: the one that it listens on. */
  readonly publicUrl: string | null;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
}

export interface DatabaseConfig {
  /** Null: the embedded PostgreSQL in the data directory. */
  readonly url: string | null;
  /** The schema that holds the instance; null: the one that the database gives this user. */
  readonly schema: string | null;
  /** A replica of it, from which lists, exports and reports are read. */
  readonly replicaUrl: string | null;
  /** The two characters by which its keys begin, behind `fg_live_`. */
  readonly shard: string;
  /** Connections for the requests of callers. */
  readonly connectionsMax: number;
  /** Connections for everything else. */
  readonly controlConnectionsMax: number;
}

/** Milliseconds, all of them. */
export interface TimeoutConfig {
  /** A caller's headers, and a caller's whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A plain call as a whole: below the 300 s after which HTTP clients give up and pay again. */
  readonly plainMs: number;
  /** A stream as a whole. */
  readonly streamMs: number;
  readonly upstreamConnectMs: number;
  readonly upstreamFirstByteMs: number;
  /** A stream's first data event, after which the next route is tried. */
  readonly upstreamFirstEventMs: number;
  readonly upstreamIdleMs: number;
  /** How long an idle connection to an upstream is kept at most. */
  readonly upstreamKeepAliveMs: number;
  /** Silence after which a stream's 200 goes out with comment pings, and the time between pings. */
  readonly pingMs: number;
  /** How long an abandoned stream is read on for its usage. */
  readonly usageMs: number;
  /** How long a hold waits for other holds to close. */
  readonly holdWaitMs: number;
  /** How long a process keeps serving after SIGTERM while it reports that it isn't ready. */
  readonly lameDuckMs: number;
  readonly drainMs: number;
  /** How long a start serves requests of its own at most, so that its code is compiled; zero: not at all. */
  readonly warmUpMs: number;
  /** Silence after which a process counts as dead. */
  readonly epochMs: number;
}

/** When a route that fails is left alone, and for how long. */
export interface RoutingConfig {
  /** How far back the results of a route's attempts count; milliseconds. */
  readonly windowMs: number;
  /** With fewer results than this a route goes on, whatever they are. */
  readonly resultsMin: number;
  /** A route rests when at least this part of its results are failures: above 0, at most 1. */
  readonly failureRatio: number;
  /** How long it rests before one attempt probes it; milliseconds. */
  readonly restMs: number;
  /** How long a route rests whose provider refuses the operator's key; milliseconds. */
  readonly refusedKeyMs: number;
}

/** The field in which an upstream obeys an output cap. */
export type CapField = 'max_tokens' | 'max_completion_tokens';

/** A file in PEM, as it was when the configuration was read. */
export interface PemFile {
  readonly path: string;
  readonly text: string;
}

/** Certificates for the connections to a provider. */
export interface TlsConfig {
  /** They vouch for the server, instead of those that Node trusts; null: those. */
  readonly ca: PemFile | null;
  /** The client certificate and its key: both, or neither. */
  readonly cert: PemFile | null;
  readonly key: PemFile | null;
}

/** Settings of a provider of any kind. */
export interface ProviderBasics {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The URL of the HTTP proxy on the way to it, with credentials, from the file or the environment; null: none. */
  readonly proxy: string | null;
  readonly tls: TlsConfig | null;
  /** Attempts that may run there at the same time; null: no limit. */
  readonly concurrencyMax: number | null;
  /** Whether a stream that its caller has left is read to its end, as far as the request's deadline allows. */
  readonly drains: boolean;
  /** Fields of requests, and betas, that it may be sent though they aren't known here; absent: none. */
  readonly acceptFields?: readonly string[];
}

/** A server that speaks OpenAI's protocol. Null values are as its profile says. */
export interface OpenAiProviderConfig extends ProviderBasics {
  readonly kind: 'openai';
  /** The profile of such servers; null: chosen by the address. */
  readonly profile: OpenAiProfileName | null;
  readonly capField: CapField | null;
  /** Whether it runs on without end unless it is sent a cap. */
  readonly needsCap: boolean | null;
  /** Whether it has the legacy completions. */
  readonly hasCompletions: boolean | null;
}

/** OpenAI's models on Azure, where a model is the name of a deployment. */
export interface AzureProviderConfig extends ProviderBasics {
  readonly kind: 'azure';
  /** Null: the v1 API, which has no dated versions. */
  readonly apiVersion: string | null;
  /** The absolute path of a file with an Entra token, which is read again when it changes. */
  readonly tokenFile: string | null;
  readonly capField: CapField;
}

/** Anthropic's own Messages API. */
export interface AnthropicProviderConfig extends ProviderBasics {
  readonly kind: 'anthropic';
  /** The `anthropic-version` header. */
  readonly version: string;
}

/** Google's own Gemini API. */
export interface GeminiProviderConfig extends ProviderBasics {
  readonly kind: 'gemini';
}

/** The provider inside this process. */
export interface SandboxProviderConfig extends ProviderBasics {
  readonly kind: 'sandbox';
}

export type ProviderConfig =
  | OpenAiProviderConfig
  | AzureProviderConfig
  | AnthropicProviderConfig
  | GeminiProviderConfig
  | SandboxProviderConfig;

export type ProviderKind = ProviderConfig['kind'];

/** Answers by a caller's JSON schema. */
export interface StructuredConfig {
  /** Non-conforming answers that are free for a project in an hour; nano-USD. */
  readonly freePerHour: NanoUsd;
}

export interface AlertsConfig {
  /** How often it is looked for new alerts; milliseconds. */
  readonly checkEveryMs: number;
}

/** What is kept of Responses. */
export interface ResponsesConfig {
  /** How long a response is kept for requests that go on from it; milliseconds, zero: not at all. */
  readonly storeForMs: number;
  /** How many bytes of them a workspace may have. */
  readonly storeBytesMax: number;
}

/** What becomes of old receipts. */
export interface LedgerConfig {
  /** How long they are kept; null: for good. */
  readonly keepDays: number | null;
  /** The folder to which they are exported before they are dropped; null: they are not exported. */
  readonly exportTo: string | null;
}

/** Backups by a schedule. */
export interface BackupConfig {
  /** Every so long, and how long after midnight in UTC; milliseconds. */
  readonly schedule: { readonly everyMs: number; readonly afterMs: number };
  readonly folder: string;
  /** For whom they are encrypted; empty: they are not. */
  readonly recipients: readonly string[];
  /** How many are kept. */
  readonly keep: number;
  /** Whether each is restored on trial. */
  readonly verifies: boolean;
}

/** How mails are sent. */
export interface MailConfig {
  /** The SMTP server, with credentials. */
  readonly smtpUrl: string;
  /** The sender: an address, or a name with an address in angle brackets. */
  readonly from: string;
}

export interface WebhookConfig {
  /** Networks such as `10.1.0.0/16` to which webhooks may go although they are not public. */
  readonly allowedNetworks: readonly string[];
}

/** The OpenID provider at which users may sign in. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** How people know it. */
  readonly name: string;
}

export interface IdentityConfig {
  /** Whether people may make accounts of their own. */
  readonly signUp: boolean;
  /** Addresses and networks from which operators are accepted; null: any. */
  readonly operatorNetworks: readonly string[] | null;
  /** Null: by password only. */
  readonly oidc: OidcConfig | null;
}

/** Where the key is that encrypts the database's secrets. */
export type SecretsConfig =
  /** In a file; null: the one in the data directory. */
  | { readonly kind: 'file'; readonly path: string | null }
  /** In the environment: one or more keys. */
  | { readonly kind: 'given'; readonly keys: string }
  /** Behind a program, which is started with its arguments. */
  | { readonly kind: 'command'; readonly command: readonly string[]; readonly timeoutMs: number };

/** Payments by Stripe. */
export interface StripeConfig {
  readonly secretKey: string;
  /** Null: webhooks are not taken. */
  readonly webhookSecret: string | null;
  readonly baseUrl: string;
  /** Stripe computes tax on its pages. */
  readonly automaticTax: boolean;
  /** Stripe makes invoices of payments on its pages. */
  readonly invoices: boolean;
}

/** The seller of credit, as statements say. */
export interface SellerConfig {
  readonly name: string;
  readonly address: string | null;
  readonly taxId: string | null;
}

/** How workspaces pay for credit. Amounts in nano-USD. */
export interface PaymentsConfig {
  /** Null: statements name the address of the instance alone. */
  readonly seller: SellerConfig | null;
  /** Null: credit is granted, or redeemed by codes. */
  readonly stripe: StripeConfig | null;
  /** Charged on top of a top-up: hundredths of a percent of it, and a minimum. */
  readonly fee: { readonly share: bigint; readonly min: NanoUsd };
  readonly amountMin: NanoUsd;
  readonly amountMax: NanoUsd;
  /** The page that payers come back to; null: the instance's own. */
  readonly returnUrl: string | null;
}

/** A collector of OpenTelemetry that takes OTLP over HTTP. */
export interface OtlpConfig {
  /** Without a slash at its end: the paths of the signals are added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long one export may take, repetitions included. */
  readonly timeoutMs: number;
}

/** What the instance reports beside its logs and `/metrics`. */
export interface TelemetryConfig {
  /** Null: nothing is exported. */
  readonly otlp: OtlpConfig | null;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly traces: {
    /** The part of requests that are traced, from 0 to 1. */
    readonly sampleRatio: number;
    /** Whether a caller's trace is continued, and sampled as its flag says. */
    readonly followCallers: boolean;
  };
  /** 0: metrics are not pushed. */
  readonly metrics: { readonly pushEveryMs: number };
  readonly requestLog: boolean;
}

interface SinkBasics {
  readonly name: string;
  /** How long records are gathered before they are delivered together. */
  readonly deliverEveryMs: number;
  /** How long one delivery may take. */
  readonly timeoutMs: number;
  /** Bytes of prompts and answers that may wait in one process. */
  readonly queueBytesMax: number;
}

/** A directory for files of JSON lines. */
export interface FileSinkConfig extends SinkBasics {
  readonly kind: 'file';
  /** Absolute. */
  readonly path: string;
  /** A file that is larger is followed by another. */
  readonly rotateBytes: number;
}

/** A bucket of an S3-compatible store. */
export interface S3SinkConfig extends SinkBasics {
  readonly kind: 's3';
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Null: names of objects begin with the id of their workspace. */
  readonly prefix: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A collector of OpenTelemetry that takes logs by OTLP over HTTP. */
export interface OtlpSinkConfig extends SinkBasics {
  readonly kind: 'otlp';
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where workspaces may have their records delivered. */
export type SinkConfig = FileSinkConfig | S3SinkConfig | OtlpSinkConfig;

/** A model as the file describes it; it is sold once its terms are an active price version. */
export interface ModelConfig {
  readonly id: string;
  readonly terms: ModelTerms;
  readonly routes: readonly Route[];
  /** Whether it thinks before it answers: a stream that its caller has left is read on until the request's deadline. */
  readonly reasoning: boolean;
  /** The models that may answer if its routes don't, in order; absent if there are none. */
  readonly fallback?: readonly string[];
}

/** What gave a setting its value. */
export type Origin = 'default' | 'file' | 'environment' | 'flag';

export interface Config {
  /** The file it was read from; null if there was none. */
  readonly file: string | null;
  /** Where the file is, or would be. */
  readonly filePlace: string;
  /** What gave the settings their values, by dotted name; the others are defaults. */
  readonly origins: Readonly<Record<string, Origin>>;
  readonly dataDirectory: string;
  readonly server: ServerConfig;
  readonly database: DatabaseConfig;
  readonly timeouts: TimeoutConfig;
  readonly routing: RoutingConfig;
  readonly structured: StructuredConfig;
  readonly responses: ResponsesConfig;
  readonly ledger: LedgerConfig;
  /** How long audit events are kept, in days; null: for good. */
  readonly audit: { readonly keepDays: number | null };
  /** How long refused requests are kept, in days. */
  readonly refusals: { readonly keepDays: number };
  /** Null: backups are written on request alone. */
  readonly backup: BackupConfig | null;
  readonly payments: PaymentsConfig;
  readonly alerts: AlertsConfig;
  /** Null: no mail is sent. */
  readonly mail: MailConfig | null;
  readonly webhooks: WebhookConfig;
  readonly identity: IdentityConfig;
  readonly secrets: SecretsConfig;
  readonly telemetry: TelemetryConfig;
  readonly sinks: readonly SinkConfig[];
  /** The operator token of the environment; null: the one in the data directory. */
  readonly operatorToken: string | null;
  readonly providers: readonly ProviderConfig[];
  readonly models: readonly ModelConfig[];
  /** Names of environment variables that hold something and look like a provider's API key. Their values stay there. */
  readonly providerKeyVariables: readonly string[];
  /** Whether a first boot makes a workspace, a project and a key. */
  readonly bootstrap: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}
