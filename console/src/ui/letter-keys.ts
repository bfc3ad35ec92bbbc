import { useSyncExternalStore } from 'react';

// Keys without a modifier, such as "/" and "j", can be turned off: speech input and some keyboards press them unmeant.

const KEY = 'faregate.letter-keys';
const OFF = 'off';

const listeners = new Set<() => void>();

/** Whether single keys do anything on this device. */
export const lettersAreOn = (): boolean => localStorage.getItem(KEY) !== OFF;

/** Turns single keys off, or on again, on this device. */
export function turnLetters(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, OFF);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same as `lettersAreOn`, for components. */
export function useLettersOn(): boolean {
  return useSyncExternalStore(subscribe, lettersAreOn);
}
