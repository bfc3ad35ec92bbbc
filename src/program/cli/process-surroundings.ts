import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { processEnvironment } from '../../config/environment.ts';
import { CliFailure } from './cli-failure.ts';
import type { Surroundings } from './cli-context.ts';

/** The process itself as the commands' surroundings. */
export function processSurroundings(): Surroundings {
  // A reader such as `head` closes the pipe once it has read enough. The command has not failed then.
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    env: processEnvironment(),
    get cwd() {
      return workingDirectory();
    },
    out: (text) => void process.stdout.write(text),
    drained: () => drained(process.stdout),
    err: (text) => void process.stderr.write(text),
    stopped: stopSignal,
    ask: (question) => (process.stdin.isTTY ? ask(question) : Promise.resolve(null)),
    askSecret: (question) => (process.stdin.isTTY ? askSecret(question) : Promise.resolve(null)),
  };
}

/** A second signal ends the process as if it waited for none. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  process.stdout.once('close', abort);
  return stop.signal;
}

/** Asks on stderr: stdout is for the result. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** The terminal shows nothing of the answer, since it is this process that would have to show it. */
async function askSecret(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Ctrl-C is a character like any other then.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  process.stderr.write(question);
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const taken = () => {
      stream.off('drain', taken).off('close', taken);
      resolve();
    };
    stream.on('drain', taken).on('close', taken);
  });
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CliFailure('the working directory was deleted; change to one that exists', { cause });
  }
}
