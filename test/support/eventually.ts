import { vi } from 'vitest';

/** Waits for a condition, on a machine as busy as may be. */
export function eventually(
  check: () => void,
  options: { readonly interval?: number; readonly timeout?: number } = {},
): Promise<void> {
  return vi.waitFor(check, { timeout: 25_000, interval: 5, ...options });
}
