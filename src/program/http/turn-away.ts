import type { ServerResponse } from 'node:http';
import type { Refusal } from '../../domain/refusals.ts';
import { refusalResponse } from './refusal-response.ts';

/** Answers with a refusal and closes the connection, on which a body may be unread. */
export function turnAway(response: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = refusalResponse(refusal, String(response.getHeader('x-request-id')));
  response.writeHead(status, ['connection', 'close', ...headers]);
  response.end(body);
}
