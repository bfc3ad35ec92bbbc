import type { ProviderBasics, TimeoutConfig, TlsConfig } from '../../config/config.ts';
import type { ConnectionSettings, TlsSettings } from './http/destination.ts';
import { createHttpClient, type HttpClient } from './http/http-client.ts';

/** The program's timeouts for exchanges with a provider. */
export type ClientTimeouts = Pick<
  TimeoutConfig,
  'upstreamConnectMs' | 'upstreamFirstByteMs' | 'upstreamIdleMs' | 'upstreamKeepAliveMs'
>;

/** A client of the provider, with a connection pool of its own. */
export function createProviderClient(provider: ProviderBasics, timeouts: ClientTimeouts): HttpClient {
  return createHttpClient(
    new URL(provider.baseUrl).origin,
    {
      connectMs: timeouts.upstreamConnectMs,
      firstByteMs: timeouts.upstreamFirstByteMs,
      idleMs: timeouts.upstreamIdleMs,
      keepAliveMs: timeouts.upstreamKeepAliveMs,
    },
    connectionSettings(provider),
  );
}

/** The connection settings of the provider. */
export function connectionSettings({ proxy, tls }: ProviderBasics): ConnectionSettings {
  return { proxy, tls: tls === null ? null : textsOf(tls) };
}

function textsOf({ ca, cert, key }: TlsConfig): TlsSettings {
  return { ca: ca?.text ?? null, cert: cert?.text ?? null, key: key?.text ?? null };
}
