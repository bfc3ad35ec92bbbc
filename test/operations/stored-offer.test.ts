import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProviderProbeJson } from '../../src/control/admin/offer/offer-contract.ts';
import { Commands } from '../support/commands.ts';
import { databaseUrl, startExternalPostgres } from '../support/external-postgres.ts';
import { TEST_KEY } from '../support/keyring.ts';
import { KNOWN_MODEL, PROVIDER_KEY, startPricedProvider } from '../support/priced-provider.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

// Providers and models that operators declare in the database, over the admin API and by commands: sold by all processes of all
// instances, across restarts, at a price that follows from the cost, and never in the place of what the config file declares.

const PATIENCE = { timeout: 30_000, interval: 100 };

let provider: ScriptedUpstream;
const running = new AsyncDisposableStack();
beforeAll(async () => {
  provider = await startPricedProvider();
  running.defer(() => provider.stop());
});
afterAll(() => running.disposeAsync());

const declared = () => ({ kind: 'openai', base_url: `${provider.origin}/v1` });
const ofModel = (proposal: ProviderProbeJson | undefined, markup: string) => {
  const known = proposal?.models.find(({ id }) => id === KNOWN_MODEL);
  return { ...known?.declaration, markup };
};
const request = (model: string) => ({ model, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] });
const statusOf = async (program: Program, key: string, model: string): Promise<number> => {
  const response = await program.chat(key, request(model));
  await response.arrayBuffer();
  return response.status;
};

/** Stores the provider and the one model of it whose price is known, at its cost and ten percent. */
async function sellAtMarkUp({ admin }: Program): Promise<void> {
  await admin.storeProvider('openai', { declaration: declared(), api_key: PROVIDER_KEY });
  const proposal = await admin.probeProvider('openai');
  expect(proposal.models).toMatchObject([
    { id: KNOWN_MODEL, proposed: true, declaration: { routes: [{ provider: 'openai', cost: { input: '0.25' } }] } },
    { id: 'house-model', proposed: false, declaration: null },
  ]);
  await admin.storeModel(KNOWN_MODEL, { declaration: ofModel(proposal, '10%') });
}

test('an instance without a file sells what the database declares, in each worker and after a restart', async () => {
  let program = await startProgram({ args: ['--workers', '2'] });
  try {
    const tenant = await program.createTenant({ credit: '100' });
    await sellAtMarkUp(program);
    await expect.poll(() => statusOf(program, tenant.key, KNOWN_MODEL), PATIENCE).toBe(200);
    const everyWorker = await Promise.all(Array.from({ length: 20 }, () => statusOf(program, tenant.key, KNOWN_MODEL)));
    expect(new Set(everyWorker)).toEqual(new Set([200]));
    expect(await statusOf(program, tenant.key, 'sandbox/echo')).toBe(404);
    const { data } = await program.admin.listCatalogue({});
    const sold = data.find(({ id }) => id === KNOWN_MODEL);
    // 0.25 USD and 2.00 USD, and ten percent.
    expect(
      sold?.price.tiers[0]?.rates.filter(({ class: name }) => name === 'input' || name === 'output'),
    ).toMatchObject([
      { class: 'input', rate_nano_usd: '275000000' },
      { class: 'output', rate_nano_usd: '2200000000' },
    ]);
    expect(await program.signal('SIGTERM')).toBe(0);
    program = await program.restart();
    expect(await statusOf(program, tenant.key, KNOWN_MODEL)).toBe(200);
    await program.admin.deleteModel(KNOWN_MODEL);
    await expect.poll(() => statusOf(program, tenant.key, KNOWN_MODEL), PATIENCE).toBe(404);
    await expect.poll(async () => (await program.admin.showStatus()).problems, PATIENCE).toEqual([]);
  } finally {
    await program.dispose();
  }
});

test('the key of a stored provider is encrypted, and in no answer, record or line of the log', async () => {
  const program = await startProgram();
  try {
    await sellAtMarkUp(program);
    const database = await program.openDatabase();
    const rows = await database.query<{ row: string }>(
      'select offer_declarations::text as row from offer_declarations',
    );
    const audit = await database.query<{ action: string; row: string }>(
      `select action, audit_events::text as row from audit_events where target_kind in ('provider', 'model') order by at`,
    );
    expect(audit.map(({ action }) => action)).toEqual(['provider.create', 'model.create']);
    const run = new Commands(program);
    const printed = await run.text('offer print');
    expect(printed).toContain('api_key: ${OPENAI_API_KEY}');
    const shown = JSON.stringify([rows, audit, await program.admin.showOffer(), printed, program.stderr()]);
    for (const form of [PROVIDER_KEY, Buffer.from(PROVIDER_KEY).toString('hex')]) expect(shown).not.toContain(form);
  } finally {
    await program.dispose();
  }
});

test('what a file of the command declares is stored, and what is printed of it is such a file again', async () => {
  const program = await startProgram({ env: { UPSTREAM_KEY: PROVIDER_KEY } });
  try {
    const file = join(program.data, 'offer.yaml');
    await writeFile(
      file,
      `
providers:
  house: { kind: openai, base_url: "${provider.origin}/v1", api_key: "\${UPSTREAM_KEY}" }
models:
  - id: house/chat
    routes: [{ provider: house, model: house-model, cost: { input: "1", output: "2" } }]
    markup: 12.5%
    context_window: 2000000
    max_output: 100000
`,
    );
    const run = new Commands(program);
    expect(await run.text(`offer store ${file}`)).toBe('Stored house, house/chat.\n');
    const tenant = await program.createTenant({ credit: '100' });
    await expect.poll(() => statusOf(program, tenant.key, 'house/chat'), PATIENCE).toBe(200);
    const yaml = await run.text('offer print');
    await writeFile(file, yaml.replaceAll('HOUSE_API_KEY', 'UPSTREAM_KEY'));
    await run.text(`offer store ${file}`);
    expect(await run.text('offer print')).toBe(yaml);
    expect(await run.text('offer show')).toMatch(/model +house\/chat +database +-/);
  } finally {
    await program.dispose();
  }
});

test('a name of the config file is refused, and one that comes to be there later counts before the stored one', async () => {
  const config = (models: string): string => `
providers: { built-in: { kind: sandbox } }
models:
${models}`;
  const model = (id: string): string =>
    `  - { id: ${id}, routes: [{ provider: built-in, model: echo }], price: { input: "0", output: "0" }, context_window: 9000, max_output: 99 }\n`;
  const program = await startProgram({ config: config(model('filed')) });
  const { admin } = program;
  try {
    const filed = { routes: [{ provider: 'built-in', model: 'echo' }], price: { input: '1', output: '1' } };
    const stored = { ...filed, context_window: 9_000, max_output: 99 };
    await expect(admin.storeModel('filed', { declaration: stored })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(admin.storeProvider('built-in', { declaration: declared() })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await admin.storeModel('later', { declaration: stored });
    const tenant = await program.createTenant({ credit: null });
    await expect.poll(() => statusOf(program, tenant.key, 'later'), PATIENCE).toBe(402);
    await writeFile(join(program.data, '..', 'faregate.yaml'), config(model('filed') + model('later')));
    await expect.poll(() => statusOf(program, tenant.key, 'later'), PATIENCE).toBe(200);
    const { models } = await admin.showOffer();
    expect(models.filter(({ id }) => id === 'later')).toMatchObject([
      { source: 'file', problem: null },
      { source: 'database', problem: 'The config file has a model of this name, which counts in its place.' },
    ]);
    await expect
      .poll(async () => (await admin.showStatus()).problems, PATIENCE)
      .toEqual([
        'The model "later" of the database: The config file has a model of this name, which counts in its place.',
      ]);
  } finally {
    await program.dispose();
  }
});

test('an instance without the key of secrets says so, and goes on selling what needs none', async () => {
  const config = `
providers: { built-in: { kind: sandbox } }
models:
  - { id: filed, routes: [{ provider: built-in, model: echo }], price: { input: "1", output: "1" }, context_window: 9000, max_output: 99 }
`;
  let program = await startProgram({ config });
  try {
    const tenant = await program.createTenant({ credit: '100' });
    await sellAtMarkUp(program);
    await expect.poll(() => statusOf(program, tenant.key, KNOWN_MODEL), PATIENCE).toBe(200);
    expect(await program.signal('SIGTERM')).toBe(0);
    await rm(join(program.data, 'secrets.key'));
    program = await program.restart();
    expect(await statusOf(program, tenant.key, 'filed')).toBe(200);
    expect(await statusOf(program, tenant.key, KNOWN_MODEL)).toBe(404);
    const said = [
      expect.stringMatching(
        /^The provider "openai" of the database: Its key can't be read on this instance: .*secrets\.key/,
      ),
      `The model "${KNOWN_MODEL}" of the database: It is not sold by this instance: openai can't be used.`,
    ];
    expect((await program.admin.showStatus()).problems).toEqual(expect.arrayContaining(said));
    expect((await program.admin.showOffer()).providers.find(({ name }) => name === 'openai')?.problem).toMatch(
      /secrets\.key/,
    );
    // It is still the same model at the same price, for instances that have the key.
    expect((await program.admin.previewCatalogue()).changes.filter(({ change }) => change !== 'cost')).toEqual([]);
  } finally {
    await program.dispose();
  }
});

test('two instances on one database take up what is stored, and an apply puts it on sale in both', async () => {
  const postgres = await startExternalPostgres();
  const url = databaseUrl(postgres, await postgres.createDatabase(), postgres.port);
  const env = { DATABASE_URL: url, FAREGATE_SECRETS_KEY: TEST_KEY };
  const programs: Program[] = [];
  try {
    programs.push(await startProgram({ env }));
    programs.push(await startProgram({ env }));
    const [first, second] = programs as [Program, Program];
    const tenant = await first.createTenant({ credit: '100' });
    await sellAtMarkUp(first);
    await expect
      .poll(async () => (await second.admin.previewCatalogue()).changes, PATIENCE)
      .toMatchObject([
        { model: KNOWN_MODEL, change: 'add' },
        { model: KNOWN_MODEL, change: 'cost' },
      ]);
    expect(await statusOf(first, tenant.key, KNOWN_MODEL)).toBe(404);
    await second.admin.applyCatalogue({});
    for (const each of programs) await expect.poll(() => statusOf(each, tenant.key, KNOWN_MODEL), PATIENCE).toBe(200);
  } finally {
    for (const each of programs) await each.dispose();
    await postgres.stop();
  }
});
