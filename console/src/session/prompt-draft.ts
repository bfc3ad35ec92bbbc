// What somebody has typed in the playground, for as long as the tab is open: it survives the way to a payment and back. It is
// never in an address.

const KEY = 'faregate.prompt';

interface Draft {
  readonly user: string;
  readonly workspace: string;
  readonly prompt: unknown;
}

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // A prompt too large for the storage is lost with the page, as all would be without it.
    sessionStorage.removeItem(KEY);
  }
}

/** The prompt that the user left in the workspace; null if there is none. */
export function keptDraft(user: string, workspace: string): unknown {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  const draft = JSON.parse(text) as Draft;
  return draft.user === user && draft.workspace === workspace ? draft.prompt : null;
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}
