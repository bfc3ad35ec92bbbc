import { readFileSync, statSync } from 'node:fs';

/** How often the file is checked: a token is renewed minutes before the old one expires. */
const LOOK_MS = 1_000;

/** A fingerprint that changes with a file, or with a link to another one. */
function versionOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino} ${mtimeMs} ${size}`;
}

/**
 * A token in a file that another program renews. The file is checked during requests, at most once per interval, and
 * read only if it has changed, so no timer runs and no request waits for more than a local check.
 */
export class TokenFile {
  readonly #path: string;
  readonly #nowMs: () => number;
  #version = '';
  #token: string | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, nowMs: () => number = () => performance.now()) {
    this.#path = path;
    this.#nowMs = nowMs;
  }

  /** The token as last read; null if none could be read. If the file can't be read now, the earlier token stays. */
  current(): string | null {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lookedMs < LOOK_MS) return this.#token;
    this.#lookedMs = nowMs;
    try {
      const version = versionOf(this.#path);
      if (version !== this.#version) this.#token = read(this.#path) ?? this.#token;
      this.#version = version;
    } catch {
      // The file may be being replaced.
    }
    return this.#token;
  }
}

/** The token; null if the file has none, or characters that a header can't contain. */
function read(path: string): string | null {
  const token = readFileSync(path, 'utf8').trim();
  return /^[\u0021-\u007e]+$/.test(token) ? token : null;
}
