import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { ConfigFault } from '../../config/config-fault.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { SettingsInForce } from '../../config/settings.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { createLogTo } from '../telemetry/log.ts';
import { startConfigReloader } from './reloading.ts';

const BASE = loadConfig({ flags: {}, env: {}, cwd: join(tmpdir(), 'no-such-directory') });

/** A reloader of an instance that runs the first configuration, and reads the second. */
function reloaderOf(config: Config, found: Config) {
  const clock = new ManualClock();
  const settings = new SettingsInForce(config);
  const read = vi.fn<() => Promise<Config>>(() => Promise.resolve(found));
  const adopt = vi.fn<(next: Config) => Promise<void>>(() => Promise.resolve());
  const lines: string[] = [];
  const log = createLogTo('info', { write: (line) => void lines.push(line) });
  const reloader = startConfigReloader({ config, read, adopt, settings, log, clock });
  const messages = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { clock, settings, read, adopt, log, messages, reloader };
}

const LOUD: Config = { ...BASE, logLevel: 'debug' };

test.each<[string, Error, string]>([
  ['the database is away', new DatabaseUnavailable('the database is away'), 'the database is away; it is tried again'],
  ['something unforeseen', new Error('boom'), 'the reload failed, as the log says; it is tried again'],
])(
  'a reload that fails because of %s is reported, and retried every two seconds until it succeeds',
  async (_, fault, problem) => {
    const { clock, settings, adopt, log, messages, reloader } = reloaderOf(BASE, LOUD);
    adopt.mockRejectedValueOnce(fault).mockRejectedValueOnce(fault);
    reloader.reload();
    await clock.advance(0);
    expect(settings.report().problem).toBe(problem);
    expect(log.level).toBe('info');
    await clock.advance(1_999);
    expect(adopt).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    expect(adopt).toHaveBeenCalledTimes(2);
    await clock.advance(2_000);
    expect(adopt.mock.calls).toEqual([[LOUD], [LOUD], [LOUD]]);
    expect(settings.report().problem).toBeNull();
    expect(log.level).toBe('debug');
    expect(messages()).toEqual([
      'config reload failed; will retry',
      'config reload failed; will retry',
      'config reloaded',
    ]);
    await clock.advance(60_000);
    expect(adopt).toHaveBeenCalledTimes(3);
    await reloader.stop();
  },
);

test('a changed file whose reload failed is reloaded until it succeeds, though it has not changed since', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'faregate-reload-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'faregate.yaml');
  writeFileSync(file, 'log_level: info');
  const place = { file, filePlace: file };
  const { clock, settings, adopt, reloader } = reloaderOf({ ...BASE, ...place }, { ...LOUD, ...place });
  adopt.mockRejectedValueOnce(new DatabaseUnavailable('the database is away'));
  let edits = 0;
  // A file counts as changed only after its first look, and once it has rested from one look to the next.
  const callsAre = (count: number) =>
    until(async () => {
      if (adopt.mock.calls.length === 0 && (edits += 1) % 10 === 0) writeFileSync(file, `log_level: debug # ${edits}`);
      await clock.advance(250);
      return adopt.mock.calls.length === count;
    });
  await callsAre(2);
  await until(() => settings.report().problem === null);
  expect(adopt.mock.calls).toEqual([[{ ...LOUD, ...place }], [{ ...LOUD, ...place }]]);
  await reloader.stop();
});

test('a reload on request adopts the configuration even if it is the same, because files that it names may differ', async () => {
  const { clock, adopt, reloader } = reloaderOf(BASE, BASE);
  reloader.reload();
  await clock.advance(0);
  reloader.reload();
  await clock.advance(0);
  expect(adopt.mock.calls).toEqual([[BASE], [BASE]]);
  await reloader.stop();
});

test('a configuration with a mistake is reported, changes nothing, and is not read a second time by itself', async () => {
  const { clock, settings, read, adopt, messages, reloader } = reloaderOf(BASE, LOUD);
  read.mockRejectedValueOnce(new ConfigFault('faregate.yaml', 'models[2].price.input is missing'));
  reloader.reload();
  await clock.advance(60_000);
  expect(settings.report().problem).toBe('faregate.yaml: models[2].price.input is missing');
  expect(adopt).not.toHaveBeenCalled();
  expect(read).toHaveBeenCalledTimes(1);
  expect(messages()).toEqual(['config reload failed: the file has a mistake. The former configuration stays in force']);
  await reloader.stop();
});

test('a config file that is gone changes nothing, and the instance says which file to put back', async () => {
  const { clock, settings, adopt, reloader } = reloaderOf({ ...BASE, file: '/etc/faregate.yaml' }, LOUD);
  reloader.reload();
  await clock.advance(0);
  expect(settings.report().problem).toBe('/etc/faregate.yaml does not exist; put it back');
  expect(adopt).not.toHaveBeenCalled();
  await reloader.stop();
});

test('settings that need a restart are named with the values that wait, and nothing else of them is adopted', async () => {
  const found: Config = { ...LOUD, server: { ...BASE.server, port: 1 } };
  const { clock, settings, adopt, messages, reloader } = reloaderOf(BASE, found);
  reloader.reload();
  await clock.advance(0);
  expect(adopt.mock.calls).toEqual([[LOUD]]);
  expect(settings.report().settings.filter(({ waiting }) => waiting !== null)).toMatchObject([
    { name: 'server.port', waiting: '1' },
  ]);
  expect(messages()).toEqual(['config reloaded', 'these changed settings take effect at the next start']);
  await reloader.stop();
});

test('a reloader that stops retries nothing more', async () => {
  const { clock, adopt, reloader } = reloaderOf(BASE, LOUD);
  adopt.mockRejectedValue(new Error('boom'));
  reloader.reload();
  await clock.advance(0);
  await reloader.stop();
  await clock.advance(60_000);
  expect(adopt).toHaveBeenCalledTimes(1);
});

test('a change of the database has the running configuration adopted again, though its file has a mistake', async () => {
  const { clock, read, adopt, messages, reloader } = reloaderOf(BASE, LOUD);
  read.mockRejectedValue(new ConfigFault('faregate.yaml', 'models[2].price.input is missing'));
  reloader.offerChanged();
  await clock.advance(0);
  expect([adopt.mock.calls, read.mock.calls]).toEqual([[[BASE]], []]);
  expect(messages()).toEqual(['providers and models of the database reloaded']);
  await reloader.stop();
});

test('a change of the database during a reload, or with one that fails, is not lost', async () => {
  const { clock, adopt, reloader } = reloaderOf(BASE, LOUD);
  const slow = Promise.withResolvers<void>();
  adopt.mockReturnValueOnce(slow.promise).mockRejectedValueOnce(new Error('boom'));
  reloader.reload();
  await clock.advance(0);
  reloader.offerChanged();
  reloader.reload();
  slow.resolve();
  await clock.advance(0);
  expect(adopt.mock.calls).toEqual([[LOUD], [LOUD]]);
  await clock.advance(2_000);
  expect(adopt.mock.calls).toEqual([[LOUD], [LOUD], [LOUD], [LOUD]]);
  await reloader.stop();
});
