import { vi } from 'vitest';

/** Waits until a check passes, on a machine as busy as may be; vitest's own patience is a second. */
export function eventually(
  check: () => void | Promise<void>,
  options: { readonly interval?: number; readonly timeout?: number } = {},
): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000, interval: 5, ...options });
}

/** Waits until a condition holds, likewise. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: 60_000, interval: 5 });
}
