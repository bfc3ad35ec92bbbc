import { pino, type LoggerOptions } from 'pino';
import { KEY_PREFIX, publicIdOf } from '../../domain/key.ts';

// Logs are lines of JSON on stderr. They name requests, never their content. Secrets that get in all the same, for
// example inside a library's error, are hidden before the line is written.

/** A line's fields besides its message. `err` takes an error. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A log with a changeable level. */
export interface LeveledLog extends Log {
  level: string;
}

/** A log to stderr. It is written asynchronously, and flushed when the process exits. */
export function createLog(level: LogLevel): LeveledLog {
  return createLogTo(level, forgiving(pino.destination({ fd: 2, sync: false, maxLength: UNWRITTEN_BYTES_MAX })));
}

/** Memory for lines that can't be written; the rest is lost. */
const UNWRITTEN_BYTES_MAX = 1_048_576;

/**
 * A log that can't be written, for example to a full disk or a closed terminal, must neither end the program nor
 * prevent its end: the final flush would otherwise retry a failing line forever.
 */
function forgiving(destination: ReturnType<typeof pino.destination>): ReturnType<typeof pino.destination> {
  let isWritable = true;
  destination.on('error', () => {
    isWritable = false;
  });
  destination.on('write', () => {
    isWritable = true;
  });
  const flush = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    if (isWritable) flush();
  };
  return destination;
}

/** A log to any destination of whole lines. */
export function createLogTo(level: LogLevel, destination: { write(line: string): void }): LeveledLog {
  return pino(optionsFor(level), destination);
}

function optionsFor(level: LogLevel): LoggerOptions {
  return {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error: unknown) => serializeError(error, 0) },
    hooks: { streamWrite: hideSecrets },
  };
}

interface SerializedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: SerializedError;
}

/** Only an error's own standard fields: libraries attach whole requests to their errors. */
function serializeError(error: unknown, depth: number): SerializedError | string {
  if (!(error instanceof Error)) return String(error);
  const cause = depth < 5 && error.cause instanceof Error ? serializeError(error.cause, depth + 1) : undefined;
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(typeof cause === 'object' ? { cause } : {}),
  };
}

// A JSON member whose name says that its value is a secret: in the line itself, and in JSON inside one of its strings.
const SECRET_NAME = '(?:proxy-)?authorization|(?:x-)?api[_-]?key|password|secret|(?:set-)?cookie|operator_?token';
const SECRET_MEMBER = new RegExp(String.raw`("(?:${SECRET_NAME})":\s*")(?:[^"\\]|\\.)*`, 'gi');
const SECRET_MEMBER_INSIDE = new RegExp(String.raw`(\\"(?:${SECRET_NAME})\\":\s*\\")[^"\\]*`, 'gi');
const GATEWAY_KEY = new RegExp(`${KEY_PREFIX}[0-9A-Za-z]{22,}`, 'g');
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
const PROVIDER_KEY = /\b(sk-)[\w-]{16,}/g;
const WEBHOOK_SECRET = /\b(fg_whsec_)[\w-]{16,}/g;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"\\]{0,256}:)[^\s@/"\\]+@/gi;

/** Hides keys, credentials and passwords in a line of text. */
export function hideSecrets(line: string): string {
  return line
    .replace(SECRET_MEMBER, '$1***')
    .replace(SECRET_MEMBER_INSIDE, '$1***')
    .replace(GATEWAY_KEY, (key) => `${KEY_PREFIX}${publicIdOf(key)}***`)
    .replace(BEARER, '$1 ***')
    .replace(PROVIDER_KEY, '$1***')
    .replace(WEBHOOK_SECRET, '$1***')
    .replace(URL_PASSWORD, '$1***@');
}
