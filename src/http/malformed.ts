import { STATUS_CODES } from 'node:http';
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

/** Answers on the bare socket, because there is no request to answer, and closes it. */
export function answerMalformed(socket: Duplex, requestId: string, refusal: Refusal): void {
  const { status, headers, body } = refusalResponse(refusal);
  const lines = Object.entries({ ...headers, 'x-request-id': requestId, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n`), body]));
}
