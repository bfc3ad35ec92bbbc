import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, loadConfigText } from '../../src/config/load-config.ts';
import { settingTexts } from '../../src/config/setting-texts.ts';
import { PROGRAM_VERSION } from '../../src/lib/program-version.ts';
import { runCommand } from '../support/run-command.ts';
import { FILES, linesMatching, ROOT } from './tree.ts';

// What deploy/ says of the program is true: names of settings and variables, paths, ports, times. The files themselves are
// tried with the tools that read them by `npm run image:try`, `chart:try` and `proxies:try`.

const files = FILES.filter(({ path }) => path.startsWith('deploy/'));
const read = (path: string): string => readFileSync(join(ROOT, 'deploy', path), 'utf8');
const yaml = (path: string): unknown => parse(read(path));

function compose(): { readonly ports: readonly string[]; readonly stop_grace_period: string } {
  const { services } = yaml('compose/compose.yaml') as { services: { faregate: ReturnType<typeof compose> } };
  return services.faregate;
}

const defaults = loadConfig({ flags: {}, env: {}, cwd: join(ROOT, 'deploy') });

/** Half a minute beyond both times, as docs/operating.md says, and what a process takes to start and end. */
const GRACE_S = (defaults.timeouts.lameDuckMs + defaults.timeouts.drainMs) / 1_000 + 35;

function namesIn(pattern: RegExp): readonly string[] {
  return [...new Set(files.flatMap(({ text }) => text.match(pattern) ?? []))].toSorted();
}

test('variables that deployments set are ones that the program reads', () => {
  const config = FILES.filter(({ path }) => /^src\/config\/[^/]+(?<!\.test)\.ts$/.test(path));
  const unknown = namesIn(/FAREGATE_[A-Z_]+/g).filter(
    (name) => linesMatching(config, new RegExp(`'${name}'`)).length === 0,
  );
  expect(unknown).toEqual([]);
});

test('settings that deployments name exist', () => {
  const known = new Set(settingTexts(defaults).keys());
  const named = namesIn(/(?<![\w.])(?:timeouts|server)\.[a-z_]+/g);
  expect(named).toContain('timeouts.lame_duck');
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('paths of health and metrics that deployments ask for are served', () => {
  const routes = readFileSync(join(ROOT, 'src/program/http/api-routes.ts'), 'utf8');
  const asked = namesIn(/(?<=[ :\d}])\/(?:livez|readyz|metrics|healthz|health)\b/g);
  expect(asked).toEqual(['/livez', '/metrics', '/readyz']);
  expect(asked.filter((path) => !routes.includes(`'${path}'`))).toEqual([]);
});

test('the image, the chart, the compose file and the proxies name the port of the program', () => {
  const port = String(defaults.server.port);
  expect(read('image/Dockerfile')).toMatch(new RegExp(`FAREGATE_PORT=${port}\\b[^]*EXPOSE ${port}\\n`));
  expect(read('chart/templates/statefulset.yaml')).toContain(`containerPort: ${port},`);
  expect(compose().ports).toEqual([expect.stringMatching(new RegExp(`:${port}$`))]);
  for (const file of ['nginx.conf', 'haproxy.cfg', 'Caddyfile']) {
    expect(read(`proxies/${file}`).match(/10\.0\.0\.1[12]:\d+/g)).toEqual([`10.0.0.11:${port}`, `10.0.0.12:${port}`]);
  }
});

test('a service and a container have as long to stop as a stop may take', () => {
  expect(compose().stop_grace_period).toBe(`${GRACE_S}s`);
  expect(read('systemd/faregate.service')).toContain(`\nTimeoutStopSec=${GRACE_S}\n`);
  const [lameDuck, drain] = [defaults.timeouts.lameDuckMs / 1_000, defaults.timeouts.drainMs / 1_000];
  const helpers = read('chart/templates/_helpers.tpl');
  for (const text of [`lame_duck | default "${lameDuck}s"`, `drain | default "${drain}s"`])
    expect(helpers).toContain(text);
});

test('the chart has the version of the program', () => {
  expect(yaml('chart/Chart.yaml')).toMatchObject({ version: PROGRAM_VERSION, appVersion: PROGRAM_VERSION });
});

test('the schema of the chart knows the same values as its defaults', () => {
  interface Known {
    readonly properties?: Readonly<Record<string, Known>>;
    readonly additionalProperties?: unknown;
  }
  const namesOf = ({ properties = {} }: Known, above = ''): readonly string[] =>
    Object.entries(properties).flatMap(([name, known]) =>
      known.additionalProperties === false ? namesOf(known, `${above}${name}.`) : [above + name],
    );
  const schema = JSON.parse(read('chart/values.schema.json')) as Known;
  const values = yaml('chart/values.yaml') as Readonly<Record<string, unknown>>;
  const missing = namesOf(schema).filter(
    (name) => name.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], values) === undefined,
  );
  // Helm gives it to every chart.
  expect(missing).toEqual(['global']);
  expect(Object.keys(values).filter((name) => !(name in (schema.properties ?? {})))).toEqual([]);
});

test('config files in examples of deployments load', () => {
  const sources = { flags: {}, env: { OPENAI_API_KEY: 'sk-test' }, cwd: ROOT };
  const { config } = yaml('chart/examples/production.yaml') as { config: object };
  expect(loadConfigText(JSON.stringify(config), sources).models.map(({ id }) => id)).toEqual(['gpt-5']);
  for (const file of ['nginx.conf', 'haproxy.cfg', 'Caddyfile']) {
    const lines = [...read(`proxies/${file}`).matchAll(/^# {3}(.*)$/gm)].map(([, line]) => line);
    expect(loadConfigText(lines.join('\n'), sources).server.trustedProxies).toEqual(['10.0.0.10']);
  }
});

test.each(['start', 'migrate', 'doctor', 'catalogue apply'])(
  'deployments run "%s", which is a command',
  async (command) => {
    expect(linesMatching(files, new RegExp(`(\\[|faregate )${command}\\b`))).not.toEqual([]);
    expect(await runCommand([...command.split(' '), '--help'], { env: {}, cwd: ROOT })).toMatchObject({ code: 0 });
  },
);
