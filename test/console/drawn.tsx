import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';

/** Draws parts of the console into the document until the test ends. The test's file runs with a document. */
export async function drawn(content: ReactNode): Promise<HTMLElement> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const place = document.createElement('div');
  document.body.replaceChildren(place);
  const root = createRoot(place);
  await act(() => Promise.resolve(root.render(content)));
  onTestFinished(() => act(() => root.unmount()));
  return place;
}

/** Does something to what was drawn, and waits for what follows. */
export async function doing(something: () => void): Promise<void> {
  await act(() => Promise.resolve(something()));
}
