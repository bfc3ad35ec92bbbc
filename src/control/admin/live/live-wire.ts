import { z } from '@hono/zod-openapi';
import { eventStream } from '../answers.ts';
import * as contract from './live-contract.ts';

const { liveBalance, liveRequest, livePayment, liveAlert, liveKey, LIVE_EVENTS } = contract;
const SAYS = `Server-sent events, until either side ends. They begin with how things stand (\`balance\`, and \`request\` if there
was one) and go on with what changes, once a second at most. \`balance\` (LiveBalance): credit, holds or runway have moved.
\`request\` (LiveRequest): the request that was charged last; several in one second are one event. \`payment\` (LivePayment): a
top-up is new or in another state. \`alert\` (LiveAlert): one was raised or resolved. \`key\` (LiveKey): one was created,
changed or revoked. Events that the caller has no right to are left out: ${Object.entries(LIVE_EVENTS)
  .map(([name, permission]) => `\`${name}\` takes ${permission}`)
  .join(', ')}. What happens between two streams is in neither: after a reconnection, read again what you show. A stream
ends when the session ends, the right is lost or the server stops; clients come back after a second. A stream that is not
read is ended.`;

/** Requests and answers of the operations on live updates. */
export const liveWire = {
  listenToWorkspace: {
    description: SAYS,
    responses: eventStream(
      z.union([liveBalance, liveRequest, livePayment, liveAlert, liveKey]),
      'Events, as they happen.',
    ),
  },
};
