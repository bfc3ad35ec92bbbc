import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from './load-config.ts';
import { DeclarationFault, printDeclarations, readStoredModel, readStoredProvider } from './stored-declarations.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function load(text: string, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(cwd, 'faregate.yaml'), text);
  return loadConfig({ flags: {}, env, cwd });
}

const HERE = { kind: 'openai', base_url: 'https://one.example/v1' };

test('what is printed declares the same when a config file has it, also texts that look like variables', () => {
  const provider = { ...HERE, base_url: 'https://one.example/${HOME}/$${X}/v1' };
  const model = {
    id: 'null',
    routes: [{ provider: 'one', model: '${HOME}: $${X} # 1e3' }],
    price: { input: '1', output: '2' },
    context_window: 1000,
    max_output: 100,
  };
  const printed = printDeclarations([{ name: 'one', declaration: provider, hasKey: false }], [model]);
  const { providers, models } = load(printed, { HOME: '/root', X: 'x' });
  expect(providers).toEqual([readStoredProvider({ name: 'one', declaration: provider, apiKey: null })]);
  expect(models).toEqual([readStoredModel(model, ['one'])]);
});

test('each printed provider has a variable of its own for its key, whatever it is called', () => {
  const names = ['1x', 'A_B', 'a-b', 'a_b', 'a_b_2', 'keyless'];
  const printed = printDeclarations(
    names.map((name) => ({ name, declaration: HERE, hasKey: name !== 'keyless' })),
    [],
  );
  const variables = Array.from(printed.matchAll(/api_key: \$\{(\w+)\}/g), ([, variable = '']) => variable);
  const { providers } = load(
    printed,
    Object.fromEntries(variables.map((variable, index) => [variable, `sk-${index}`])),
  );
  expect(providers.map(({ apiKey }) => apiKey)).toEqual(['sk-0', 'sk-1', 'sk-2', 'sk-3', 'sk-4', null]);
});

test('a provider can not be called __proto__, neither in the database nor in the file', () => {
  const stored = { name: '__proto__', declaration: HERE, apiKey: null };
  expect(() => readStoredProvider(stored)).toThrow(DeclarationFault);
  expect(() => load('providers:\n  __proto__: { kind: openai, base_url: "https://one.example/v1" }\n')).toThrow(
    'faregate.yaml:2:3: "__proto__" is no name; write another one',
  );
});
