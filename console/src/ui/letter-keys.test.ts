import { expect, test, vi } from 'vitest';
import { lettersAreOn, turnLetters } from './letter-keys.ts';

test('single keys are on until they are turned off on this device, and can be turned on again', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const states = [lettersAreOn()];
  for (const on of [false, true]) {
    turnLetters(on);
    states.push(lettersAreOn());
  }
  expect(states).toEqual([true, false, true]);
});
