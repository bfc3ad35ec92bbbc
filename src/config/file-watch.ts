import { stat } from 'node:fs/promises';
import type { Cancel, Clock } from '../lib/clock.ts';

const LOOK_MS = 500;
/** No file's signature. */
const ABSENT = '';

/**
 * Calls back each time the file has changed and then stayed as it is from one look to the next: a file in the
 * middle of a write isn't read. It polls, because that works on every file system, and however the
 * file is replaced. While there is no file, nothing has changed; if there was none before, the first one is a change.
 */
export function watchFile(path: string, wasThere: boolean, clock: Clock, changed: () => void): Cancel {
  let cancelNext: Cancel = () => undefined;
  let isOver = false;
  let known = wasThere ? null : ABSENT;
  let last: string | null = null;

  const look = (): void => {
    signatureOf(path).then(saw, () => saw(null));
  };
  const saw = (now: string | null): void => {
    if (isOver) return;
    known ??= now;
    if (now !== null && now === last && now !== known) {
      known = now;
      changed();
    }
    last = now;
    cancelNext = clock.after(LOOK_MS, look);
  };
  look();
  return () => {
    isOver = true;
    cancelNext();
  };
}

/** A fingerprint of a file. Rejects if there is none. */
async function signatureOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
