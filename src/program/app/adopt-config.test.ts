import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { SANDBOX_MODELS, SANDBOX_PROVIDER } from '../../gate/upstreams/sandbox/models.ts';
import { adoptConfig } from './adopt-config.ts';
import type { Offer } from './offer.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-adopt-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

// Every setting that counts while the program runs has a value of its own.
const FILE = `
timeouts: {
  headers: 1s, request: 2s, plain: 30s, stream: 40s, upstream_connect: 5s, upstream_first_byte: 6s,
  upstream_first_event: 7s, upstream_idle: 8s, upstream_keep_alive: 9s, ping: 10s, usage: 11s, hold_wait: 12s
}
routing: { window: 13s, results_min: 14, failure_percent: 15, rest: 16s, refused_key_rest: 17s }
structured_output: { free_per_hour: "0.18" }
responses: { store_for: 19h, store_max: 20MiB }
telemetry: { request_log: true }
providers: { p: { kind: sandbox } }
`;

function loaded(): Config {
  writeFileSync(join(cwd, 'faregate.yaml'), FILE);
  return loadConfig({ flags: {}, env: {}, cwd });
}

const [model] = SANDBOX_MODELS;
const OFFER: Offer = {
  models: SANDBOX_MODELS.slice(0, 1),
  kept: [{ ...(model as Offer['models'][number]), id: 'former' }],
  providers: [SANDBOX_PROVIDER],
  isConfigured: true,
  file: { providers: [], models: [] },
  stored: [],
  problems: [],
  mark: '',
  found: { servers: [], unusedKeys: [] },
};

/** The parts of a gateway, which note in their order what is asked of them. */
function partsOf(reload: () => Promise<void> = () => Promise.resolve()) {
  const calls: (readonly [string, ...unknown[]])[] = [];
  const noted =
    (name: string) =>
    (...given: unknown[]): void =>
      void calls.push([name, ...given]);
  const gate = { pulse: { intervalMs: 0 }, timeouts: {}, responses: { limits: {} } };
  const freeAnswers = { perHour: 0n };
  const requestLog = { isOn: false };
  const offered = { now: { ...OFFER, problems: ['former'] } };
  const parts = {
    gate,
    offered,
    freeAnswers,
    requestLog,
    exporting: { configure: noted('exporting.configure') },
    front: { setTimeouts: noted('front.setTimeouts') },
    upstreams: { configure: noted('upstreams.configure'), closeFormer: noted('upstreams.closeFormer') },
    health: { configure: noted('health.configure') },
    catalogue: { configure: noted('catalogue.configure'), reload },
  };
  const asked = () => Object.fromEntries(calls.map(([name, ...given]) => [name, given]));
  return {
    parts: parts as unknown as Parameters<typeof adoptConfig>[0],
    gate,
    offered,
    freeAnswers,
    requestLog,
    calls,
    asked,
  };
}

test('a reload reaches every part of the gateway that it concerns, each with its own settings', async () => {
  const { parts, gate, offered, freeAnswers, requestLog, asked } = partsOf();
  const config = loaded();
  await adoptConfig(parts, config, OFFER);
  expect(offered.now).toBe(OFFER);
  expect(gate).toEqual({
    pulse: { intervalMs: 10_000 },
    timeouts: { plainMs: 30_000, streamMs: 40_000, firstEventMs: 7_000, usageMs: 11_000, finishMs: 2_000 },
    responses: { limits: { keepMs: 68_400_000, bytesMax: 20_971_520 } },
  });
  expect(freeAnswers.perHour).toBe(180_000_000n);
  expect(requestLog).toEqual({ isOn: true });
  const sold = [...OFFER.models, ...OFFER.kept];
  expect(asked()).toEqual({
    // Idle: a wait for money, a plain call, its receipt, and a ping.
    'front.setTimeouts': [{ headersMs: 1_000, requestMs: 2_000, idleMs: 12_000 + 30_000 + 5_500 + 10_000 }],
    'upstreams.configure': [{ providers: OFFER.providers, models: sold, timeouts: config.timeouts }],
    'health.configure': [
      { windowMs: 13_000, resultsMin: 14, failureRatio: 0.15, restMs: 16_000, refusedKeyMs: 17_000 },
      OFFER.providers,
    ],
    'exporting.configure': [config.telemetry, OFFER.providers],
    'catalogue.configure': [OFFER.models, OFFER.kept],
    'upstreams.closeFormer': [40_000],
  });
});

test('a reload loads every time limit under its own name', () => {
  expect(loaded().timeouts).toEqual({
    headersMs: 1_000,
    requestMs: 2_000,
    plainMs: 30_000,
    streamMs: 40_000,
    upstreamConnectMs: 5_000,
    upstreamFirstByteMs: 6_000,
    upstreamFirstEventMs: 7_000,
    upstreamIdleMs: 8_000,
    upstreamKeepAliveMs: 9_000,
    warmUpMs: 1_500,
    pingMs: 10_000,
    usageMs: 11_000,
    holdWaitMs: 12_000,
    lameDuckMs: 5_000,
    drainMs: 30_000,
    epochMs: 30_000,
  });
});

test('upstreams of former routes stay open as long as the longest request, and until prices were read', async () => {
  const short = loaded();
  const { parts, asked } = partsOf();
  await adoptConfig(parts, { ...short, timeouts: { ...short.timeouts, plainMs: 90_000 } }, OFFER);
  expect(asked()['upstreams.closeFormer']).toEqual([90_000]);
  const failing = partsOf(() => Promise.reject(new DatabaseUnavailable('the database is away')));
  await expect(adoptConfig(failing.parts, short, OFFER)).rejects.toThrow(DatabaseUnavailable);
  expect(failing.asked()).not.toHaveProperty('upstreams.closeFormer');
});
