import type { HttpBindings } from '@hono/node-server';
import { z } from '@hono/zod-openapi';
import { isRefusal } from '../../../domain/refusals.ts';
import { answerRefusal, eventStream } from '../answers.ts';
import { credentialsOf, type Identify } from '../identify.ts';
import * as contract from './live-contract.ts';
import type { LiveUpdates } from './live-updates.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from '../route-access.ts';

const { liveBalance, liveRequest, livePayment, liveAlert, liveKey, LIVE_EVENTS } = contract;

/** A connection over which nothing can be sent for this long is given up. */
const SILENT_MS_MAX = 60_000;

const SAYS = `Server-sent events, until either side ends. They begin with how things stand (\`balance\`, and \`request\` if there
was one) and go on with what changes, once a second at most. \`balance\` (LiveBalance): credit, holds or runway have moved.
\`request\` (LiveRequest): the request that was charged last; several in one second are one event. \`payment\` (LivePayment): a
top-up is new or in another state. \`alert\` (LiveAlert): one was raised or resolved. \`key\` (LiveKey): one was created,
changed or revoked. Events that the caller has no right to are left out: ${Object.entries(LIVE_EVENTS)
  .map(([name, permission]) => `\`${name}\` takes ${permission}`)
  .join(', ')}. What happens between two streams is in neither: after a reconnection, read again what you show. A stream
ends when the session ends, the right is lost or the server stops; clients come back after a second. A stream that is not
read is ended.`;

const listen = workspaceRoute('workspace:read', {
  operationId: 'listenToWorkspace',
  method: 'get',
  path: '/events',
  tags: ['Workspaces'],
  summary: 'Listen to what changes in a workspace',
  description: SAYS,
  request: { params: z.object(inWorkspace) },
  responses: eventStream(
    z.union([liveBalance, liveRequest, livePayment, liveAlert, liveKey]),
    'Events, as they happen.',
  ),
});

interface LiveRouteParts {
  readonly live: LiveUpdates;
  readonly identify: Identify;
}

/** Adds the route of live updates. */
export function addLiveRoutes(app: AdminApp, { live, identify }: LiveRouteParts): void {
  app.openapi(listen, async (c) => {
    const { incoming, outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    const isSession = c.var.act.actor.kind === 'session';
    const credentials = credentialsOf(c);
    const body = await live.open(c.var.scope, {
      identifyAgain: isSession ? null : () => identify(credentials),
      disconnect: () => void outgoing?.destroy(),
    });
    if (isRefusal(body)) return answerRefusal(c, body);
    outgoing?.setTimeout(SILENT_MS_MAX);
    if (incoming !== undefined && outgoing !== undefined) endWithItsClient(incoming, outgoing);
    // Proxies that collect answers are asked not to.
    return c.body(body, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  });
}

/**
 * Ends the answer once the client sends no more. Other answers go on then, since a client may close its side once it has asked;
 * this one has no end of its own, and would count until something is sent.
 */
function endWithItsClient({ socket }: HttpBindings['incoming'], outgoing: HttpBindings['outgoing']): void {
  const end = (): void => void outgoing.destroy();
  socket.once('end', end);
  outgoing.once('close', () => socket.off('end', end));
}
