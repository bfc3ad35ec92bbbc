import { bodyBytesMaxOf, isForModel } from '../../control/admin/guards.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { BodyReads } from './body-reads.ts';
import type { NodeHandler } from './api-routes.ts';
import { turnAway } from './turn-away.ts';

/**
 * Reads the body of a request to the admin API before the API serves it, so that an unfinished body has no place there.
 * Bodies of requests to models are left for the gate, with its own bounds.
 */
export function readsBodies(serve: NodeHandler, reads: BodyReads): NodeHandler {
  return async (message, response) => {
    const { headers, url = '' } = message;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody || isForModel(url)) return await serve(message, response);
    const read = await reads.read(message, bodyBytesMaxOf(url));
    if (isRefusal(read)) return turnAway(response, read);
    response.once('close', read.drop);
    // Where the adapter of the admin app looks for a body that was read already.
    Object.assign(message, { rawBody: read.body });
    return await serve(message, response);
  };
}
