import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../repository/tree.ts';
import { freePort } from '../support/external-postgres.ts';
import { TEST_CERTIFICATE } from '../support/test-certificate.ts';

// The examples of deploy/proxies, started with the addresses and the certificate of a test in place of theirs.

/** What a file's text becomes in a folder that has the test's certificate. */
interface Example {
  readonly file: string;
  readonly program: (folder: string) => readonly [string, ...string[]];
  readonly places: (port: number, folder: string) => Readonly<Record<string, string>>;
}

const INSTANCES = ['10.0.0.11:8080', '10.0.0.12:8080'];

/** In the foreground, with its log where the test reads it. */
const NGINX_IN_FRONT = 'daemon off; pid nginx.pid; error_log stderr;';

const EXAMPLES: Readonly<Record<string, Example>> = {
  nginx: {
    file: 'nginx.conf',
    program: (folder) => ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', NGINX_IN_FRONT],
    places: (port, folder) => ({
      'listen 443 ': `listen ${port} `,
      'server_name gateway.example': 'server_name localhost',
      '/etc/ssl/gateway.example': join(folder, 'gateway'),
    }),
  },
  haproxy: {
    file: 'haproxy.cfg',
    program: (folder) => ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')],
    places: (port, folder) => ({
      'bind :443 ': `bind 127.0.0.1:${port} `,
      '/etc/ssl/gateway.example.pem': join(folder, 'both.pem'),
    }),
  },
  caddy: {
    file: 'Caddyfile',
    program: (folder) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    places: (port, folder) => ({
      'gateway.example {': `{\n  admin off\n  auto_https disable_redirects\n}\nhttps://localhost:${port} {\n  tls ${join(folder, 'gateway.pem')} ${join(folder, 'gateway.key')}`,
    }),
  },
};

export const PROXIES = Object.keys(EXAMPLES);

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(EXAMPLES).map(([name, { file }]) => [name, file])),
  cells: 'haproxy-cells.cfg',
};

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
  const file = FILES[name] ?? '';
  let text = await readFile(join(ROOT, 'deploy/proxies', file), 'utf8');
  for (const [place, by] of Object.entries(places)) {
    if (!text.includes(place)) throw new Error(`${file} has no "${place}"`);
    text = text.replaceAll(place, by);
  }
  return text;
}

/** Starts the example for cells, without TLS, before the instances of two cells at these ports. The caller stops it. */
export async function startCellProxy([zero = 0, one = 0]: readonly number[]): Promise<Omit<StartedProxy, 'takeOut'>> {
  const folder = await mkdtemp(join(tmpdir(), 'faregate-cells-'));
  const port = await freePort();
  const [first = '', second = ''] = INSTANCES;
  const text = await exampleWith('cells', {
    'bind :443 ssl crt /etc/ssl/gateway.example.pem alpn h2,http/1.1': `bind 127.0.0.1:${port}`,
    [first]: `127.0.0.1:${zero}`,
    [second]: `127.0.0.1:${one}`,
  });
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  return await runProxy(['haproxy', '-db', '-f', file], { folder, port });
}

/** Starts a proxy before two instances at these ports. The caller stops it. */
export async function startProxy(name: string, [one = 0, two = 0]: readonly number[]): Promise<StartedProxy> {
  const example = EXAMPLES[name] as Example;
  const folder = await mkdtemp(join(tmpdir(), `faregate-${name}-`));
  const port = await freePort();
  const { cert, key } = TEST_CERTIFICATE;
  const [first = '', second = ''] = INSTANCES;
  const text = await exampleWith(name, {
    ...example.places(port, folder),
    [first]: `127.0.0.1:${one}`,
    [second]: `127.0.0.1:${two}`,
  });
  const files = { [example.file]: text, 'gateway.pem': cert, 'gateway.key': key, 'both.pem': cert + key };
  await Promise.all(Object.entries(files).map(([file, content]) => writeFile(join(folder, file), content)));
  const proxy = await runProxy(example.program(folder), { folder, port });
  return {
    ...proxy,
    async takeOut(instance) {
      if (name !== 'nginx') return;
      const line = `127.0.0.1:${instance} `;
      await writeFile(join(folder, example.file), text.replace(line, `${line}down `));
      proxy.reload();
    },
  };
}

/** Runs a proxy in the foreground until it is stopped, which removes its folder. */
async function runProxy(
  [program, ...args]: readonly [string, ...string[]],
  { folder, port }: { readonly folder: string; readonly port: number },
): Promise<Omit<StartedProxy, 'takeOut'> & { readonly reload: () => void }> {
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await listening(child, port, () => said);
  return {
    port,
    said: () => said,
    reload: () => void child.kill('SIGHUP'),
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
