import { useState } from 'react';

/** The fragment of the link that led here, which browsers don't send to servers; null if it was cut off. */
export function useLinkToken(): string | null {
  const [token] = useState(() => location.hash.slice(1));
  return token === '' ? null : token;
}
