import type { HttpBindings } from '@hono/node-server';
import { isRefusal } from '../../../domain/refusals.ts';
import { credentialsOf, type Identify } from '../identify.ts';
import type { LiveUpdates } from './live-updates.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

/** A connection over which nothing can be sent for this long is given up. */
const SILENT_MS_MAX = 60_000;

interface LiveRouteParts {
  readonly live: LiveUpdates;
  readonly identify: Identify;
}

/** Adds the route of live updates. */
export function addLiveRoutes(app: AdminApp, { live, identify }: LiveRouteParts): void {
  serve(app, 'listenToWorkspace', async ({ scope, c }) => {
    const { incoming, outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    const isSession = c.var.act.actor.kind === 'session';
    const credentials = credentialsOf(c);
    const body = await live.open(scope, {
      identifyAgain: isSession ? null : () => identify(credentials),
      disconnect: () => void outgoing?.destroy(),
    });
    if (isRefusal(body)) return body;
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
