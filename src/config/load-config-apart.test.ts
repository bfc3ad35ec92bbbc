import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigFault } from './config-fault.ts';
import { loadConfigApart } from './load-config-apart.ts';
import { type ConfigSources, loadConfig } from './load-config.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-config-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function sourcesOf(yaml: string): ConfigSources {
  writeFileSync(join(cwd, 'faregate.yaml'), yaml);
  return { flags: {}, env: { KEY: 'a secret' }, cwd };
}

const ONE_MODEL = `
providers: { p: { kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: "\${KEY}" } }
models: [{ id: m, routes: [{ provider: p, model: m }], price: { input: "0.15", output: "0.60" }, context_window: 8000, max_output: 1 }]
`;

test('a configuration that is read in a thread is the same, and as frozen', async () => {
  const sources = sourcesOf(ONE_MODEL);
  const config = await loadConfigApart(sources);
  expect(config).toEqual(loadConfig(sources));
  expect(Object.isFrozen(config.models[0]?.terms.price.rates)).toBe(true);
});

test('a mistake in a configuration that is read in a thread is the same', async () => {
  const sources = sourcesOf(`${ONE_MODEL}serve: 1`);
  const reasons = [() => loadConfig(sources), () => loadConfigApart(sources)].map(async (load) => load());
  const [here, apart] = await Promise.allSettled(reasons);
  expect(apart).toEqual(here);
  expect(apart).toMatchObject({ status: 'rejected', reason: expect.any(ConfigFault) });
});
