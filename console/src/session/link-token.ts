import { useState } from 'react';

/** What stands behind the "#" of the link that led here, which browsers send to no server; null if it was cut off. */
export function useLinkToken(): string | null {
  const [token] = useState(() => location.hash.slice(1));
  return token === '' ? null : token;
}
