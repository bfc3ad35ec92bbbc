import { type ChildProcess, spawn } from 'node:child_process';
import { KEY_BYTES } from './envelope.ts';
import { type KeyEncryption, KeyEncryptionFault, type WrappedKey } from './key-encryption.ts';

const PROTOCOL = 1;
const OUTPUT_BYTES_MAX = 65_536;
const REASON_LENGTH_MAX = 200;
const KEY_ID = /^[\x21-\x7e]{1,200}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A program that wraps and unwraps data keys, such as one that asks a key management service. */
export interface KeyCommand {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
}

interface Question {
  readonly operation: 'wrap' | 'unwrap';
  readonly data_key_id: string;
  /** The wrapped data key, or the one to wrap; base64. */
  readonly data: string;
  /** Of the key-encryption key that wrapped it. */
  readonly key_id?: string;
}

/**
 * A key-encryption key that never comes here. The program is started for each question, which it reads as one line of JSON
 * from its standard input; it writes its answer as JSON to its standard output, and exits with 0.
 */
export class KeyProgram implements KeyEncryption {
  readonly source = 'secrets.command';
  readonly #command: KeyCommand;

  constructor(command: KeyCommand) {
    this.#command = command;
  }

  make(): Promise<void> {
    return Promise.resolve();
  }

  async wrap(dataKeyId: string, dataKey: Buffer): Promise<WrappedKey> {
    const answer = await this.#ask({ operation: 'wrap', data_key_id: dataKeyId, data: dataKey.toString('base64') });
    const { key_id: wrappedBy } = answer;
    if (typeof wrappedBy !== 'string' || !KEY_ID.test(wrappedBy)) {
      throw new KeyEncryptionFault('secrets.command answered without a "key_id" of 1 to 200 characters without blanks');
    }
    return { wrappedBy, bytes: dataOf(answer) };
  }

  async unwrap(dataKeyId: string, { wrappedBy, bytes }: WrappedKey): Promise<Buffer> {
    const data = bytes.toString('base64');
    const answer = await this.#ask({ operation: 'unwrap', data_key_id: dataKeyId, data, key_id: wrappedBy });
    const dataKey = dataOf(answer);
    if (dataKey.length === KEY_BYTES) return dataKey;
    throw new KeyEncryptionFault(`secrets.command unwrapped ${dataKey.length} bytes instead of ${KEY_BYTES}`);
  }

  /** The service has its new key already, or makes it by itself. */
  beginRotation(): Promise<void> {
    return Promise.resolve();
  }

  endRotation(): Promise<void> {
    return Promise.resolve();
  }

  async #ask(question: Question): Promise<Readonly<Record<string, unknown>>> {
    const output = await run(this.#command, `${JSON.stringify({ version: PROTOCOL, ...question })}\n`);
    try {
      const answer: unknown = JSON.parse(output);
      if (typeof answer === 'object' && answer !== null) return answer as Readonly<Record<string, unknown>>;
    } catch {
      // Its output may be a key, so no message has any of it.
    }
    throw new KeyEncryptionFault('secrets.command wrote something else than an object in JSON');
  }
}

function dataOf({ data }: Readonly<Record<string, unknown>>): Buffer {
  if (typeof data === 'string' && BASE64.test(data)) return Buffer.from(data, 'base64');
  throw new KeyEncryptionFault('secrets.command answered without "data" in base64');
}

function run({ command, timeoutMs }: KeyCommand, input: string): Promise<string> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown): void =>
      reject(new KeyEncryptionFault(`secrets.command ${reason}`, { cause }));
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const output: Buffer[] = [];
    let bytes = 0;
    let reason = '';
    const patience = setTimeout(() => {
      fail(`took longer than ${timeoutMs / 1_000} s: see secrets.command_timeout`);
      killGroup(child);
    }, timeoutMs);
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > OUTPUT_BYTES_MAX) killGroup(child);
      else output.push(piece);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (reason.length < REASON_LENGTH_MAX) reason += text;
    });
    child.once('error', (cause) => {
      clearTimeout(patience);
      fail(`can't be started (${'code' in cause ? String(cause.code) : 'unknown error'})`, cause);
    });
    child.once('close', (code, signal) => {
      clearTimeout(patience);
      if (bytes > OUTPUT_BYTES_MAX) fail(`wrote more than ${OUTPUT_BYTES_MAX} bytes`);
      else if (code === 0) resolve(Buffer.concat(output).toString());
      else fail(`ended with ${signal ?? code}: ${lineOf(reason)}`);
    });
    // A program that exits early is reported by its status.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Ends a program, which has a process group of its own, with those that it has started. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

function lineOf(text: string): string {
  return (
    text
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, REASON_LENGTH_MAX) || 'it wrote no reason to standard error'
  );
}
