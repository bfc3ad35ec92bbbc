// What somebody has typed in the playground, for as long as the tab is open: it survives the way to a payment and back. It is
// never in an address.

const KEY = 'faregate.prompt';

interface Draft {
  readonly user: string;
  readonly workspace: string;
  readonly prompt: unknown;
  /** The address of the playground while the prompt waits for credit; null: it does not. */
  readonly wayBack: string | null;
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
  return draftOf(user, workspace)?.prompt ?? null;
}

/** Where the user goes back to once the workspace has credit; null: no prompt waits for it. */
export function wayBackToPrompt(user: string, workspace: string): string | null {
  return draftOf(user, workspace)?.wayBack ?? null;
}

function draftOf(user: string, workspace: string): Draft | null {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  const draft = JSON.parse(text) as Draft;
  return draft.user === user && draft.workspace === workspace ? draft : null;
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}
