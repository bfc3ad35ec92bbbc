import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { refusalResponse } from './refusal-response.ts';

/** What is said where HTTP itself was broken, too large or too slow. */
export function malformedRefusal(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('HEADERS_TOO_LARGE', "The request's headers are too large.");
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('REQUEST_TIMEOUT', 'The request was not sent completely in time.', { shouldRetry: false });
    default:
      return refuse('INVALID_REQUEST', 'This is not well-formed HTTP/1.1.');
  }
}

/** Whether a request names one host, as HTTP/1.1 demands of it: of two, each reader on the way may take another. */
export function namesOneHost({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  const isOlder = httpVersionMajor < 1 || (httpVersionMajor === 1 && httpVersionMinor < 1);
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && isOlder);
}

/** Answers on the bare socket, because there is no request to answer, and closes it. */
export function answerMalformed(socket: Duplex, requestId: string, refusal: Refusal): void {
  const { status, headers, body } = refusalResponse(refusal);
  const lines = Object.entries({ ...headers, 'x-request-id': requestId, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n`), body]));
}
