import { z } from '@hono/zod-openapi';

const SAYS = `The body, the answer, its headers and all refusals are those of the public API. The request is charged under a key of
the caller's own in the project, which has a limit and a month as other keys have, and no secret: \`GET …/keys?kind=console\`
lists these keys.`;

const request = {
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

/** Requests and answers of the operations on the playground. */
export const playgroundWire = {
  playgroundChat: {
    description: SAYS,
    ...request,
    responses: {
      200: {
        description: 'The answer, or its stream.',
        content: { 'application/json': JSON_BODY, 'text/event-stream': { schema: { type: 'string' as const } } },
      },
    },
  },
  playgroundQuote: {
    description: SAYS,
    ...request,
    responses: { 200: { description: 'The quote.', content: { 'application/json': JSON_BODY } } },
  },
};
