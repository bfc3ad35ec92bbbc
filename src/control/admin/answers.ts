import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { REFUSALS, type Refusal } from '../../domain/refusals.ts';
import { errorBody, type ErrorBody } from './contract.ts';

// The declarations of a route's answers, and the conversion of a refusal to an answer.

const ERRORS = {
  description: 'Refused or failed; `code` names the reason.',
  content: { 'application/json': { schema: errorBody } },
};

/** Declares that a route answers 200 with this body. */
export function ok<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: { description, content: { 'application/json': { schema } } }, default: ERRORS };
}

/** Declares that a route answers 201 with this body. */
export function created<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 201: { description, content: { 'application/json': { schema } } }, default: ERRORS };
}

/** Declares that a route answers 201 with this body, or 200 if the request repeats an earlier one. */
export function createdOrRepeated<Schema extends z.ZodType>(schema: Schema, description: string) {
  const answer = { description, content: { 'application/json': { schema } } };
  return { 201: answer, 200: { ...answer, description: `${description} It existed already.` }, default: ERRORS };
}

/** Declares that a route answers 200 with CSV, or lines of JSON. */
export function records(description: string) {
  return { 200: { description, content: { 'text/csv': {}, 'application/x-ndjson': {} } }, default: ERRORS };
}

/** Declares that a route answers 200 with server-sent events; their data is one of these in JSON. */
export function eventStream<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: { description, content: { 'text/event-stream': { schema } } }, default: ERRORS };
}

/** Declares that a route sends browsers elsewhere. */
export function redirect(description: string) {
  return { 303: { description }, default: ERRORS };
}

/** Declares that a route answers 200 with a stream of bytes. */
export function bytes(description: string) {
  return { 200: { description, content: { 'application/octet-stream': {} } }, default: ERRORS };
}

/** Declares a required request body, with an example of it. */
export function json<Schema extends z.ZodType>(schema: Schema, example: z.input<Schema>) {
  return { required: true, content: { 'application/json': { schema, example } } };
}

/** The body of a refusal, with all four keys. */
export function refusalBody({ code, message, param }: Refusal): ErrorBody {
  return { error: { message, type: REFUSALS[code].type, param, code } };
}

/** Answers with a refusal. */
export function answerRefusal(c: Context, refusal: Refusal) {
  const { code, retryAfterMs, allow } = refusal;
  if (retryAfterMs !== undefined) c.header('retry-after', String(Math.ceil(retryAfterMs / 1_000)));
  if (allow !== undefined) c.header('allow', allow);
  if (code === 'UNAUTHENTICATED') c.header('www-authenticate', 'Bearer');
  return c.json(refusalBody(refusal), REFUSALS[code].status);
}
