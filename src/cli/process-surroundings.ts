import { processEnvironment } from '../config/environment.ts';
import { CliFailure } from './cli-failure.ts';
import type { Surroundings } from './cli-context.ts';

/** The process itself as the commands' surroundings. */
export function processSurroundings(): Surroundings {
  // A reader that has seen enough, such as `head`, closes the pipe: that is no failure of the command.
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
  };
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
    throw new CliFailure('the working directory is gone; change to one that exists', { cause });
  }
}
