import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ROOT } from '../repository/tree.ts';
import { freePort } from '../support/external-postgres.ts';
import { TEST_CERTIFICATE } from '../support/test-certificate.ts';

// The examples of deploy/proxies, started with the addresses and the certificate of a test in place of theirs.

/** What a file's text becomes in a folder that has the test's certificate. */
interface Example {
  readonly file: string;
  readonly program: (file: string, folder: string) => readonly [string, ...string[]];
  readonly places: (port: number, folder: string) => Readonly<Record<string, string>>;
  /** How it writes the address of an instance; `host:port` unless given. */
  readonly address?: (host: string, port: number) => string;
}

/** The instances that an example names. */
const HOSTS = ['10.0.0.11', '10.0.0.12'];
const INSTANCE_PORT = 8080;

/** In the foreground, with its log where the test reads it. */
const NGINX_IN_FRONT = 'daemon off; pid nginx.pid; error_log stderr;';

const NGINX: Example = {
  file: 'nginx.conf',
  program: (file, folder) => ['nginx', '-p', folder, '-c', file, '-g', NGINX_IN_FRONT],
  places: (port, folder) => ({
    'listen 443 ': `listen ${port} `,
    'server_name gateway.example': 'server_name localhost',
    '/etc/ssl/gateway.example': join(folder, 'gateway'),
  }),
};

const HAPROXY: Example = {
  file: 'haproxy.cfg',
  program: (file) => ['haproxy', '-db', '-f', file],
  places: (port, folder) => ({
    'bind :443 ': `bind 127.0.0.1:${port} `,
    '/etc/ssl/gateway.example.pem': join(folder, 'both.pem'),
  }),
};

const EXAMPLES: Readonly<Record<string, Example>> = {
  nginx: NGINX,
  haproxy: HAPROXY,
  caddy: {
    file: 'Caddyfile',
    program: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    places: (port, folder) => ({
      'gateway.example {': `{\n  admin off\n  auto_https disable_redirects\n}\nhttps://localhost:${port} {\n  tls ${join(folder, 'gateway.pem')} ${join(folder, 'gateway.key')}`,
    }),
  },
};

/** Each of its two instances is another cell's. */
const CELL_EXAMPLES: Readonly<Record<string, Example>> = {
  'nginx-cells': { ...NGINX, file: 'nginx-cells.conf' },
  'haproxy-cells': { ...HAPROXY, file: 'haproxy-cells.cfg' },
  'envoy-cells': {
    file: 'envoy-cells.yaml',
    program: (file) => ['envoy', '--disable-hot-restart', '--log-level', 'warning', '-c', file],
    places: (port, folder) => ({
      'address: 0.0.0.0, port_value: 443': `address: 127.0.0.1, port_value: ${port}`,
      '/etc/ssl/gateway.example': join(folder, 'gateway'),
    }),
    address: (host, port) => `address: ${host}, port_value: ${port}`,
  },
};

const ALL_EXAMPLES: Readonly<Record<string, Example>> = { ...EXAMPLES, ...CELL_EXAMPLES };

export const PROXIES = Object.keys(EXAMPLES);

/** The examples before cells whose program this machine has. */
export async function installedCellProxies(): Promise<readonly string[]> {
  const installed: string[] = [];
  for (const [name, { program }] of Object.entries(CELL_EXAMPLES)) {
    const [command] = program('', '');
    await promisify(execFile)(command, [command === 'envoy' ? '--version' : '-v']).then(
      () => installed.push(name),
      () => undefined,
    );
  }
  return installed;
}

export interface StartedProxy {
  readonly port: number;
  /** Its log. */
  said(): string;
  /** Takes the instance at this port out, as nginx has to be told before a stop; the others notice. Null: takes it in again. */
  takeOut(instance: number | null): Promise<void>;
  stop(): Promise<void>;
}

/** The text of an example with others in the places of its own. @throws if it has no such place */
export async function exampleWith(name: string, places: Readonly<Record<string, string>>): Promise<string> {
  const { file } = ALL_EXAMPLES[name] as Example;
  let text = await readFile(join(ROOT, 'deploy/proxies', file), 'utf8');
  for (const [place, by] of Object.entries(places)) {
    if (!text.includes(place)) throw new Error(`${file} has no "${place}"`);
    text = text.replaceAll(place, by);
  }
  return text;
}

/** Starts a proxy before two instances at these ports. The caller stops it. */
export async function startProxy(name: string, ports: readonly number[]): Promise<StartedProxy> {
  const example = ALL_EXAMPLES[name] as Example;
  const { address = (host, port) => `${host}:${port}` } = example;
  const folder = await mkdtemp(join(tmpdir(), `faregate-${name}-`));
  const port = await freePort();
  const { cert, key } = TEST_CERTIFICATE;
  const addresses = HOSTS.map((host, index) => [
    address(host, INSTANCE_PORT),
    address('127.0.0.1', ports[index] as number),
  ]);
  const places = { ...example.places(port, folder), ...Object.fromEntries(addresses) };
  const text = await exampleWith(name, places);
  const files = { [example.file]: text, 'gateway.pem': cert, 'gateway.key': key, 'both.pem': cert + key };
  await Promise.all(Object.entries(files).map(([file, content]) => writeFile(join(folder, file), content)));
  const [program, ...args] = example.program(join(folder, example.file), folder);
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await listening(child, port, () => said);
  return {
    port,
    said: () => said,
    async takeOut(instance) {
      if (name !== 'nginx') return;
      const line = `127.0.0.1:${instance} `;
      await writeFile(join(folder, example.file), text.replace(line, `${line}down `));
      child.kill('SIGHUP');
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function listening(child: ChildProcess, port: number, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}: ${said()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
}
