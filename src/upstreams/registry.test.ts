import { expect, test } from 'vitest';
import type { TimeoutConfig } from '../config/config.ts';
import { createUpstreams } from './registry.ts';
import { SANDBOX_PROVIDER } from './sandbox/models.ts';

const TIMEOUTS = { upstreamConnectMs: 1, upstreamFirstByteMs: 1, upstreamIdleMs: 1 } as TimeoutConfig;

test('every provider gets an upstream of its kind under its own name', async () => {
  const local = {
    name: 'local',
    kind: 'openai',
    baseUrl: 'http://127.0.0.1:11434/v1',
    apiKey: null,
    capField: 'max_tokens',
    needsCap: true,
    profile: null,
    concurrencyMax: null,
    drains: false,
  } as const;
  const upstreams = createUpstreams([local, { ...SANDBOX_PROVIDER, name: 'toys' }], TIMEOUTS);
  expect([...upstreams].map(([name, upstream]) => [name, upstream.name, upstream.needsCap])).toEqual([
    ['local', 'local', true],
    ['toys', 'toys', false],
  ]);
  for (const upstream of upstreams.values()) await upstream.close();
});
