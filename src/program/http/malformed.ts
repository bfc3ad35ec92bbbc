import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { refusalResponse } from './refusal-response.ts';
import type { Lingering } from './unread-requests.ts';

const HOST = 'host';

/** Refusals of broken, too large or too slow HTTP. */
export function malformedRefusal(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('HEADERS_TOO_LARGE', "The request's headers are too large.");
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('REQUEST_TIMEOUT', 'The request was not sent completely in time.', { shouldRetry: false });
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return refuse('HTTP_VERSION_NOT_SUPPORTED', 'This server speaks HTTP/1.1.');
    default:
      return refuse('INVALID_REQUEST', 'This is not well-formed HTTP/1.1.');
  }
}

/** The refusal of an invalid head that node:http has accepted; null if it is valid. */
export function headRefusal(message: IncomingMessage): Refusal | null {
  if (message.httpVersionMajor !== 1) return malformedRefusal('HPE_INVALID_VERSION');
  return namesOneHost(message) ? null : malformedRefusal(undefined);
}

/**
 * Whether a request names exactly one host, as HTTP/1.1 requires: with two, each proxy on the way might use another.
 */
function namesOneHost({ httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor < 1);
}

/** Answers directly on the socket, because there is no request object, and ends it. */
export function answerMalformed(socket: Socket, requestId: string, refusal: Refusal, lingering: Lingering): void {
  const { status, headers, body } = refusalResponse(refusal, requestId);
  const texts = [...headers, 'connection', 'close'];
  const head = texts.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n`), body]));
  lingering.end(socket);
}
