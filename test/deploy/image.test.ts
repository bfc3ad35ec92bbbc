import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../repository/tree.ts';
import { databaseUrl, freePort, startExternalPostgres } from '../support/external-postgres.ts';
import { printFigure } from '../support/figures.ts';
import { Container, type ContainerOptions, type Image, type ImageConfig, makeVolume } from './container.ts';

// The image as an engine runs it, and the set-up of deploy/compose. `npm run image:try` builds it, and names its root file
// system and its configuration.

const { IMAGE_ROOT: root = '', IMAGE_CONFIG: config = '{}' } = process.env;
const image: Image = { root, config: JSON.parse(config) as ImageConfig };
const DATA = '/var/lib/faregate';
const COMPOSE = join(ROOT, 'deploy/compose');
const FIRST_ANSWER = join(COMPOSE, 'first-answer.mts');
const CHARGED = /^charge +0\.0*[1-9]\d* USD$/m;
const LONG = { timeout: 600_000 };

const secondsSince = (beganMs: number): number => (performance.now() - beganMs) / 1_000;

function start(options: ContainerOptions): Container {
  const container = new Container(image, options);
  onTestFinished(() => container.dispose(), LONG.timeout);
  return container;
}

async function untilHealthy(container: Container): Promise<void> {
  const [, ...command] = image.config.Healthcheck.Test;
  await vi.waitUntil(
    () => {
      if (container.hasEnded) throw new Error(container.stderr);
      return container.exec(...command).code === 0;
    },
    { timeout: 300_000, interval: 200 },
  );
}

describe.runIf(root !== '')('the image', () => {
  let volume: string;
  beforeAll(() => void (volume = makeVolume(image)));
  afterAll(() => rm(volume, { recursive: true, force: true }));

  test('the image has a user with a number, a signal that stops it, one volume, a check of its health, and labels', () => {
    expect(image.config).toMatchObject({
      User: '10001:10001',
      StopSignal: 'SIGTERM',
      Volumes: { [DATA]: {} },
      Healthcheck: { Test: ['CMD', 'node', '/opt/faregate/healthcheck.mts'] },
      Labels: { 'org.opencontainers.image.title': 'Faregate', 'org.opencontainers.image.licenses': 'Apache-2.0' },
    });
    expect(Object.keys(image.config.Volumes)).toHaveLength(1);
  });

  test(
    'a container without privileges, on a read-only root, bills an answer, writes to its volume alone, and stops',
    LONG,
    async () => {
      const env = { FAREGATE_PORT: String(await freePort()) };
      const beganMs = performance.now();
      const container = start({ env, mounts: { [DATA]: volume, '/opt/first-answer.mts': `${FIRST_ANSWER}:ro` } });
      await untilHealthy(container);
      printFigure('healthy after', secondsSince(beganMs), 's');
      expect(container.exec('touch', '/etc/faregate/x')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Read-only'),
      });
      const capabilities = container.exec('grep', 'Cap', '/proc/1/status').stdout;
      expect(capabilities.replace(/^Cap\w+:\s+0{16}$/gm, '').trim()).toBe('');
      expect(container.exec('ls', DATA).stdout).not.toContain('programs');

      const answer = container.exec('node', '/opt/first-answer.mts');
      expect(answer).toMatchObject({ code: 0, stdout: expect.stringMatching(CHARGED) });
      expect(container.exec('faregate', 'doctor')).toMatchObject({ code: 0 });

      const stoppingMs = performance.now();
      container.signal(image.config.StopSignal);
      expect(await container.ended()).toBe(0);
      printFigure('stopped in', secondsSince(stoppingMs), 's');
      expect(container.stderr).not.toMatch(/"level":"(warn|error)"/);
      expect(container.stdout).toMatch(/^ {2}faregate .*receipt --last$/m);
    },
  );
});

interface Service {
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
}

test.runIf(root !== '')(
  'the services of compose.yaml, by hand on a PostgreSQL of ours, end in a billed answer',
  LONG,
  async () => {
    const { services } = parse(readFileSync(join(COMPOSE, 'compose.yaml'), 'utf8')) as {
      readonly services: Readonly<Record<'faregate' | 'first-answer', Service>>;
    };
    const postgres = await startExternalPostgres();
    onTestFinished(() => postgres.stop());
    const named = { faregate: makeVolume(image) };
    onTestFinished(() => rm(named.faregate, { recursive: true, force: true }));
    const port = String(await freePort());
    const url = databaseUrl(postgres, await postgres.createDatabase(), postgres.port);
    const run = ({ command, entrypoint, environment = {}, volumes }: Service): Container => {
      const mounts = volumes.map((volume) => {
        const [source = '', path = '', mode = 'rw'] = volume.split(':');
        const from = source.startsWith('.') ? join(COMPOSE, source) : named[source as keyof typeof named];
        return [path, mode === 'ro' ? `${from}:ro` : from];
      });
      const env = {
        ...environment,
        ...('DATABASE_URL' in environment && { DATABASE_URL: url }),
        FAREGATE_PORT: port,
      };
      return start({
        ...(command !== undefined && { command }),
        ...(entrypoint !== undefined && { entrypoint }),
        env,
        mounts: Object.fromEntries(mounts) as Record<string, string>,
      });
    };
    const beganMs = performance.now();
    const gateway = run(services.faregate);
    await untilHealthy(gateway);
    const answer = run(services['first-answer']);
    expect({ code: await answer.ended(), stderr: answer.stderr }).toEqual({ code: 0, stderr: '' });
    expect(answer.stdout).toMatch(CHARGED);
    printFigure('compose, a billed answer after', secondsSince(beganMs), 's');
    gateway.signal(image.config.StopSignal);
    expect(await gateway.ended()).toBe(0);
  },
);
