import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../test/support/external-postgres.ts';
import { endWithUs, stopChild } from './child-calls.ts';

// nginx between the same load and the same upstream, doing nothing but to pass requests on: one worker, kept-alive
// connections, no log, bodies never on disk, streams unbuffered. It is as little as a proxy can do.

export interface Yardstick {
  readonly version: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const START_MS = 5_000;

function configuration(port: number, upstreamPort: number): string {
  return `
    worker_processes 1;
    daemon off;
    pid nginx.pid;
    error_log stderr crit;
    events { worker_connections 16384; }
    http {
      access_log off;
      keepalive_requests 100000000;
      client_max_body_size 64m;
      client_body_buffer_size 4m;
      client_body_temp_path body; proxy_temp_path proxy;
      fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      proxy_max_temp_file_size 0;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      upstream mock { server 127.0.0.1:${upstreamPort}; keepalive 4096; keepalive_requests 100000000; }
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location / { proxy_pass http://mock; }
        location ~ ^/(stream|burst|silent)/ { proxy_pass http://mock; proxy_buffering off; }
      }
    }`;
}

/** What is installed; null: nothing. */
export async function nginxVersion(): Promise<string | null> {
  const found = await promisify(execFile)('nginx', ['-v']).catch(() => null);
  return found === null ? null : (/nginx\/\S+/.exec(found.stderr)?.[0] ?? 'nginx');
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  for (const untilMs = performance.now() + START_MS; performance.now() < untilMs;) {
    const socket = connect({ host: '127.0.0.1', port });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  throw new Error('nginx does not start');
}

/** Starts nginx before the upstream; null where it isn't installed. The caller stops it. */
export async function startYardstick(upstreamPort: number): Promise<Yardstick | null> {
  const found = await nginxVersion();
  if (found === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'faregate-bench-nginx-'));
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(port, upstreamPort));
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const letGo = endWithUs(child.pid ?? 0);
  await untilListening(child, port);
  return {
    version: found,
    port,
    pid: child.pid ?? 0,
    async stop() {
      letGo();
      await stopChild(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
