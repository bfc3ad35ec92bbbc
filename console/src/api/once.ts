import { useState } from 'react';

/** A unique name, on plain http too. */
export function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The idempotency key of a form's creation: as long as the form is open it stays the same, so that sending it again after
 * a lost answer creates nothing twice.
 */
export function useOnce(): string {
  const [once] = useState(() => `console ${randomName()}`);
  return once;
}
