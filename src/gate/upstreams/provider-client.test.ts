import { afterEach, describe, expect, test } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../../../test/support/connect-proxy.ts';
import { RecordingSink } from '../../../test/support/recording-sink.ts';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { TIMEOUTS } from '../../../test/support/upstream-pair.ts';
import type { ProviderConfig, ProviderKind, TlsConfig } from '../../config/config.ts';
import { readChatRequest } from '../openai/chat-request.ts';
import { probeProvider } from './probe.ts';
import { createUpstream } from './registry.ts';

// Every kind of provider sends all its requests through the provider's own proxy and with its own certificates.

type RemoteKind = Exclude<ProviderKind, 'sandbox'>;

const OWN: { readonly [Kind in RemoteKind]: object } = {
  openai: { profile: null, capField: null, needsCap: null },
  azure: { apiVersion: null, tokenFile: null, capField: 'max_tokens' },
  anthropic: { version: '2023-06-01' },
  gemini: {},
};
const KINDS = Object.keys(OWN) as RemoteKind[];

function providerOf(kind: RemoteKind, proxy: string | null, tls: TlsConfig | null = null): ProviderConfig {
  const basics = {
    name: 'p',
    baseUrl: 'https://api.vendor.example/v1',
    apiKey: 'k',
    concurrencyMax: null,
    drains: false,
  };
  return { ...basics, proxy, tls, kind, ...OWN[kind] } as ProviderConfig;
}

async function ask(provider: ProviderConfig): Promise<RecordingSink> {
  const reading = readChatRequest(Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}]}'));
  if (!reading.ok) throw new Error(reading.fault.message);
  const upstream = createUpstream(provider, TIMEOUTS);
  const sink = new RecordingSink();
  upstream.chat({ request: reading.request, upstreamModel: 'm', cap: 9, requestId: 'r' }, sink);
  await sink.ended();
  await upstream.close(0);
  return sink;
}

let proxy: ConnectProxy | null = null;

afterEach(async () => {
  await proxy?.stop();
  proxy = null;
});

async function refusingProxy(): Promise<ConnectProxy> {
  proxy = await startConnectProxy({ behave: (socket) => socket.end('HTTP/1.1 502 No\r\n\r\n') });
  return proxy;
}

describe.each(KINDS)('%s', (kind) => {
  test('a provider sends requests through its proxy', async () => {
    const { url, asked } = await refusingProxy();
    const { endings } = await ask(providerOf(kind, url));
    expect(asked.map(({ authority }) => authority)).toEqual(['api.vendor.example:443']);
    expect(endings).toMatchObject([
      { fault: { kind: 'unreachable', message: expect.stringMatching(/^the proxy .* 502$/) } },
    ]);
  });

  test('a provider is probed through its proxy', async () => {
    const { url, asked } = await refusingProxy();
    const found = await probeProvider(providerOf(kind, url), ['m'], { timeoutMs: 20_000 });
    expect(asked.length).toBeGreaterThan(0);
    expect(found).toMatchObject({ reachable: false, problem: expect.stringMatching(/^the proxy .* 502$/) });
  });

  test('a provider uses its own certificates', async () => {
    const pem = { path: '/x', text: TEST_CERTIFICATE.cert };
    const broken = { ...pem, text: TEST_CERTIFICATE.key.replaceAll('M', '!') };
    expect(() => createUpstream(providerOf(kind, null, { ca: pem, cert: pem, key: broken }), TIMEOUTS)).toThrow(
      /DECODER|PEM/,
    );
  });
});
