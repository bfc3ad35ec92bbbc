import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { consolePrincipal } from '../../accounts/console-keys.ts';
import { findProjectId } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import type { Principal } from '../../../domain/principal.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { answerRefusal } from '../answers.ts';
import { PlaygroundPlaces } from './playground-places.ts';
import { type AdminApp, type AdminEnv, inWorkspace, workspaceRoute } from '../route-access.ts';

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

const tags = ['Playground'];
const SAYS = `The body, the answer, its headers and all refusals are those of the public API. The request is charged under a key of
the caller's own in the project, which has a limit and a month as other keys have, and no secret: \`GET …/keys?kind=console\`
lists these keys.`;

const request = {
  params: z.object(inWorkspace),
  query: z.object({ project: z.string().openapi({ description: 'Id or name of the project that pays.' }) }),
  body: {
    required: true,
    content: {
      'application/json': {
        // Read and checked where the public API's bodies are.
        schema: { type: 'object' as const, description: "A body of the public API's chat completions." },
        example: { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }], stream: true },
      },
    },
  },
};

const JSON_BODY = { schema: { type: 'object' as const } };

const chat = workspaceRoute('playground:use', {
  operationId: 'playgroundChat',
  refuses: 'as the public API',
  method: 'post',
  path: '/playground/chat/completions',
  tags,
  summary: 'Send a chat request to a model as a member, without a key',
  description: SAYS,
  request,
  responses: {
    200: {
      description: 'The answer, or its stream.',
      content: { 'application/json': JSON_BODY, 'text/event-stream': { schema: { type: 'string' as const } } },
    },
  },
});

const quote = workspaceRoute('playground:use', {
  operationId: 'playgroundQuote',
  refuses: 'as the public API',
  method: 'post',
  path: '/playground/quote',
  tags,
  summary: 'Show what a request of the playground would hold and cost at most',
  description: SAYS,
  request,
  responses: { 200: { description: 'The quote.', content: { 'application/json': JSON_BODY } } },
});

/** Adds the routes by which members reach models. */
export function addPlaygroundRoutes(app: AdminApp, { sql, serveModel }: PlaygroundDependencies): void {
  const places = new PlaygroundPlaces();

  /** Passes the request to the gate. It counts as running until its answer has ended, or its caller has left. */
  async function serve(
    c: Context<{ Variables: AdminEnv['Variables'] & { scope: WorkspaceScope } }>,
    endpoint: PlaygroundRequest['endpoint'],
    project: string,
  ): Promise<Response> {
    const { scope } = c.var;
    const place = places.take(scope.act.actor);
    if (isRefusal(place)) return answerRefusal(c, place);
    try {
      const principal = await makeChange(sql, async (tx) => {
        const projectId = await findProjectId(tx, scope, project);
        return isRefusal(projectId) ? projectId : await consolePrincipal(tx, scope, projectId);
      });
      if (isRefusal(principal)) return answerRefusal(c, principal);
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

  app.openapi(chat, (c) => serve(c, 'chat', c.req.valid('query').project) as never);
  app.openapi(quote, (c) => serve(c, 'quote', c.req.valid('query').project) as never);
}
