import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { refusalResponse } from './refusal-response.ts';

const HOST = 'host';

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
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && isOlder);
}

/** Answers on the bare socket, because there is no request to answer, and closes it. */
export function answerMalformed(socket: Duplex, requestId: string, refusal: Refusal): void {
  const { status, headers, body } = refusalResponse(refusal);
  const texts = [...headers, 'x-request-id', requestId, 'connection', 'close'];
  const head = texts.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n`), body]));
}
