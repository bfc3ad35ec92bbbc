import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

// Runs all scripts of package.json that are named `lint:…`, as many at a time as there are processors, and prints what each
// has to say. Exits with 1 if one of them failed.

const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const waiting = Object.keys(scripts).filter((name) => name.startsWith('lint:'));

// The compiler and the linter are Go programs that end before their memory matters: they collect garbage a quarter as often.
const env = { ...process.env, GOGC: '400' };

async function run(name: string): Promise<void> {
  const child = spawn('npm', ['run', '--silent', name], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return;
  process.exitCode = 1;
  console.error(`${name} failed:\n${out}${err}`);
}

async function runNext(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext));
