/** One request that a client has sent, and what it was answered with. */
export interface Exchange {
  readonly url: string;
  readonly body: string;
  readonly sentMs: number;
  readonly status: number;
  readonly headers: Headers;
}

/** A fetch for clients that take one, which keeps every exchange, retries included. */
export function recordingFetch(): { readonly fetch: typeof fetch; readonly exchanges: readonly Exchange[] } {
  const exchanges: Exchange[] = [];
  const recorded: typeof fetch = async (input, init) => {
    const sentMs = performance.now();
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    const body = typeof init?.body === 'string' ? init.body : '';
    exchanges.push({ url, body, sentMs, status: response.status, headers: response.headers });
    return response;
  };
  return { fetch: recorded, exchanges };
}
