import { hash, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { operatorTokenFile, readOperatorToken, replaceOperatorToken } from './data-directory-files.ts';

/** How long a token that was replaced by another process may still count here. */
const LOOK_MS = 250;

/** The operator token of an instance, which all its processes share. */
export interface OwnToken {
  /** Whether it is the token. Compares hashes, which takes the same time for all values. */
  matches(token: string): Promise<boolean>;
  /** Replaces the token; resolves with the new one. Null: it is not kept here. */
  replace(): Promise<string | null>;
}

function matcher(token: string): (given: string) => boolean {
  const expected = hash('sha256', token, 'buffer');
  return (given) => timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}

/** A token that the environment sets for all instances. */
export function givenToken(token: string): OwnToken {
  const isRight = matcher(token);
  return { matches: (given) => Promise.resolve(isRight(given)), replace: () => Promise.resolve(null) };
}

/** The token in a data directory. Each process looks whether another one has replaced it. */
export class KeptToken implements OwnToken {
  readonly #directory: string;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #isRight: (given: string) => boolean;
  #state = '';
  #lookedMs = -Infinity;
  #looking: Promise<void> | null = null;

  /** `token`: what the file holds now. */
  constructor(directory: string, token: string, clock: Pick<Clock, 'monotonicMs'>) {
    this.#directory = directory;
    this.#clock = clock;
    this.#isRight = matcher(token);
  }

  async matches(token: string): Promise<boolean> {
    if (this.#clock.monotonicMs() - this.#lookedMs >= LOOK_MS) {
      this.#looking ??= this.#look().finally(() => (this.#looking = null));
      await this.#looking;
    }
    return this.#isRight(token);
  }

  async replace(): Promise<string> {
    const token = await replaceOperatorToken(this.#directory);
    this.#isRight = matcher(token);
    this.#lookedMs = -Infinity;
    return token;
  }

  /** Reads the file if it is another one than before. If it can't be read, the token stays as it was. */
  async #look(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    try {
      const { ino, mtimeMs } = await stat(join(this.#directory, operatorTokenFile));
      const state = `${ino} ${mtimeMs}`;
      if (state !== this.#state) this.#isRight = matcher(await readOperatorToken(this.#directory));
      this.#state = state;
    } catch {
      // The directory may be away for a moment; what is known still counts.
    }
    this.#lookedMs = nowMs;
  }
}
