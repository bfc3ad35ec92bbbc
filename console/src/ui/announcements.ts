// What has happened, for people who look elsewhere: spoken by live regions, and shown as toasts for results.

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
}

interface Announcements {
  /** Counted, so that the same words are spoken twice. */
  readonly spoken: { readonly text: string; readonly count: number };
  readonly toasts: readonly Toast[];
}

const TOAST_MS = 6_000;
const TOASTS_MAX = 3;

let state: Announcements = { spoken: { text: '', count: 0 }, toasts: [] };
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: Announcements): void {
  state = next;
  for (const listener of listeners) listener();
}

export function subscribeToAnnouncements(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentAnnouncements = (): Announcements => state;

/** Lets screen readers speak a result that others see: "Copied". */
export function announce(text: string): void {
  set({ ...state, spoken: { text, count: state.spoken.count + 1 } });
}

export function dismissToast(id: number): void {
  set({ ...state, toasts: state.toasts.filter((toast) => toast.id !== id) });
}

/** Shows and speaks the result of an action: "Key web/laptop is revoked". A failure stays until it is dismissed. */
export function showToast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = ++lastId;
  set({ ...state, toasts: [...state.toasts, { id, text, kind }].slice(-TOASTS_MAX) });
  announce(text);
  if (kind === 'done') setTimeout(() => dismissToast(id), TOAST_MS);
}
