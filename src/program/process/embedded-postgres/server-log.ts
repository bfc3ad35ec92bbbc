/** The log of the server's messages. */
export interface ServerLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const levels: Readonly<Record<string, keyof ServerLog>> = {
  LOG: 'debug',
  WARNING: 'warn',
  FATAL: 'warn',
  PANIC: 'error',
};

/**
 * Converts the server's stderr to log lines, and keeps the last few to explain a failed start. Returns a function that
 * takes chunks of text.
 */
export function readServerLog(log: ServerLog): {
  readonly push: (text: string) => void;
  readonly lastComplaint: () => string | null;
} {
  let rest = '';
  let complaint: string | null = null;
  const line = (text: string): void => {
    const [, severity = '', said = ''] = /^([A-Z]+): (.*)$/.exec(text) ?? [];
    const message = said.trim();
    const level = levels[severity];
    if (level === undefined) {
      if (text.trim() !== '') log.debug(`postgres: ${text.trim()}`);
      return;
    }
    if (severity === 'FATAL' || severity === 'PANIC') complaint = message;
    log[level](`postgres: ${message}`);
  };
  return {
    push: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const each of lines) line(each);
    },
    lastComplaint: () => complaint,
  };
}
