import { onTestFinished } from 'vitest';
import type { TimeoutConfig } from '../../src/config/config.ts';
import type { Upstream } from '../../src/gate/upstreams/upstream.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

/** Long enough for whatever a test waits for. */
export const TIMEOUTS: TimeoutConfig = {
  headersMs: 10_000,
  requestMs: 10_000,
  plainMs: 10_000,
  streamMs: 10_000,
  upstreamConnectMs: 10_000,
  upstreamFirstByteMs: 10_000,
  upstreamFirstEventMs: 10_000,
  upstreamIdleMs: 10_000,
  upstreamKeepAliveMs: 60_000,
  pingMs: 10_000,
  usageMs: 10_000,
  holdWaitMs: 10_000,
  lameDuckMs: 0,
  drainMs: 10_000,
  warmUpMs: 0,
  epochMs: 10_000,
};

/** The same for a client below the upstreams. */
export const CLIENT_TIMEOUTS = { connectMs: 20_000, firstByteMs: 60_000, idleMs: 60_000, keepAliveMs: 60_000 };

/** An upstream, and the server that it asks. */
export interface UpstreamPair {
  readonly server: ScriptedUpstream;
  readonly upstream: Upstream;
}

/** Starts a server that answers by the script, and the upstream that `create` makes of its origin; ends both with the test. */
export async function startUpstreamPair(script: Script, create: (origin: string) => Upstream): Promise<UpstreamPair> {
  const server = await startScriptedUpstream(script);
  const upstream = create(server.origin);
  // The server stops first: some tests leave attempts that only its end ends.
  onTestFinished(async () => {
    await server.stop();
    await upstream.close();
  });
  return { server, upstream };
}
