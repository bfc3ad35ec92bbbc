import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { consolePrincipal } from '../../accounts/console-keys.ts';
import { findProjectId } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import type { Principal } from '../../../domain/principal.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { PlaygroundPlaces } from './playground-places.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, type ServedRequest } from '../serve.ts';

/** A request to a model by a member, who is its principal without a key. */
export interface PlaygroundRequest {
  readonly endpoint: 'chat' | 'quote';
  readonly principal: Principal;
  readonly requestId: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export interface PlaygroundDependencies {
  readonly sql: ControlSql;
  /** Answers the request, as the public API does; resolves once it is settled. Never fails. */
  readonly serveModel: (request: PlaygroundRequest) => Promise<void>;
}

/** Adds the routes by which members reach models. */
export function addPlaygroundRoutes(app: AdminApp, { sql, serveModel }: PlaygroundDependencies): void {
  const places = new PlaygroundPlaces();

  /** Passes the request to the gate. It counts as running until its answer has ended, or its caller has left. */
  async function pass(
    { scope, query: { project }, c }: ServedRequest<'playgroundChat' | 'playgroundQuote'>,
    endpoint: PlaygroundRequest['endpoint'],
  ): Promise<Response | Refusal> {
    const place = places.take(scope.act.actor);
    if (isRefusal(place)) return place;
    try {
      const principal = await makeChange(sql, async (tx) => {
        const projectId = await findProjectId(tx, scope, project);
        return isRefusal(projectId) ? projectId : await consolePrincipal(tx, scope, projectId);
      });
      if (isRefusal(principal)) return principal;
      const { incoming, outgoing } = c.env as HttpBindings & { outgoing: ServerResponse };
      outgoing.setHeader('cache-control', 'no-store');
      outgoing.setHeader('x-content-type-options', 'nosniff');
      const gone = new Promise<void>((resolve) => outgoing.once('close', resolve));
      const requestId = c.var.visitor.requestId ?? '';
      await Promise.race([serveModel({ endpoint, principal, requestId, incoming, outgoing }), gone]);
      return RESPONSE_ALREADY_SENT;
    } finally {
      place.leave();
    }
  }

  serve(app, 'playgroundChat', (request) => pass(request, 'chat'));
  serve(app, 'playgroundQuote', (request) => pass(request, 'quote'));
}
