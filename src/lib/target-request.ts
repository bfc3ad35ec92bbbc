import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';

const HEADER_BYTES_MAX = 16_384;

/** A request to an address that was checked, for a URL that somebody else chose. */
export interface TargetRequest {
  readonly url: URL;
  /** What the URL's host has been resolved to. */
  readonly address: string;
  readonly method: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

/** Sends it on a connection of its own, without following redirects. The headers of the answer are bounded, its body is not. */
export function sendToTarget(request: TargetRequest): Promise<http.IncomingMessage> {
  const { url, address, method, headers, body, signal } = request;
  const { protocol, hostname, host, port, pathname, search } = url;
  const client = protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = client.request({
      method,
      // The address, so that nothing is resolved again; certificates are checked against the name.
      host: address,
      ...(isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: hostname } : {}),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      path: pathname + search,
      headers: { ...headers, host, ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }) },
      agent: false,
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
