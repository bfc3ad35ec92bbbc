const REQUEST_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The request id in a pasted text, such as a line of a log or a header; null if there is none. */
export function requestIdIn(text: string): string | null {
  return REQUEST_ID.exec(text)?.[0].toLowerCase() ?? null;
}
