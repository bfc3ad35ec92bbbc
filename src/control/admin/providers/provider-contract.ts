import { z } from '@hono/zod-openapi';
import { REST_CAUSES, ROUTE_STATES } from '../../../gate/upstreams/health/standing.ts';
import { id, timestamp } from '../contract-fields.ts';

// The part of the admin API's contract about providers, their routes and how they are.

/** How a provider is, as its routes are. */
export const PROVIDER_STATES = ['key_refused', 'resting', 'degraded', 'full', 'answering', 'idle'] as const;

const processCount = z.int().openapi({ example: 1 });

const rest = z
  .object({
    cause: z.enum(REST_CAUSES).openapi({
      description:
        '`provider_asked`: its provider asked for it. `failures`: too many attempts failed. `key_refused`: its provider refuses the configured key.',
      example: 'failures',
    }),
    fault: z.string().openapi({ description: 'The kind of fault that led to it.', example: 'failed' }),
    status: z.int().nullable().openapi({ description: 'Of HTTP, if there was one.', example: 503 }),
    until: timestamp.openapi({ description: 'From then on it is tried again.' }),
  })
  .openapi('RouteRest');

const quantiles = z
  .object({
    p50: z.int().openapi({ example: 420 }),
    p99: z.int().openapi({ example: 3_100 }),
  })
  .nullable();

const day = z
  .object({
    attempts: z.int().openapi({ description: 'Those of requests that have ended.', example: 1_204 }),
    answered: z.int().openapi({ example: 1_190 }),
    failed: z.int().openapi({ example: 12 }),
    rejected: z
      .int()
      .openapi({ description: 'Those that the provider refused because of what their callers sent.', example: 1 }),
    abandoned: z.int().openapi({ description: 'Those whose callers left before their answers began.', example: 1 }),
    faults: z
      .array(
        z.object({
          kind: z.string().openapi({
            description: '`interrupted`: a stream broke off after its first data event.',
            example: 'overloaded',
          }),
          attempts: z.int().openapi({ example: 12 }),
        }),
      )
      .openapi({ description: 'Those that failed, by kind; the most frequent first.' }),
    first_event_ms: quantiles.openapi({
      description: 'To the first data event of a stream, estimated from classes; null: none was answered.',
    }),
    whole_ms: quantiles.openapi({
      description: 'To the end of an answer as its caller took it, streams or not; null: none was whole.',
    }),
    last_answer_at: timestamp.nullable(),
    last_fault: z
      .object({
        at: timestamp,
        kind: z.string().openapi({ example: 'overloaded' }),
        status: z.int().nullable().openapi({ description: 'Of HTTP, if there was one.', example: 529 }),
        request_id: id.openapi({ description: 'The request whose attempt it was: its receipt has all attempts.' }),
      })
      .nullable()
      .openapi({ description: 'The last attempt that failed.' }),
  })
  .openapi('RouteDay', { description: 'How the attempts of the last 24 hours ended.' });

const route = z
  .object({
    model: z.string().openapi({ example: 'small-chat' }),
    upstream_model: z.string().openapi({ description: "The model's id at the provider.", example: 'vendor-small-1' }),
    position: z.int().openapi({ description: "Its place among the model's routes, counted from 1.", example: 1 }),
    weight: z
      .number()
      .nullable()
      .openapi({ description: "Its share beside the model's other routes; null: they are tried in order." }),
    on_sale: z.boolean().openapi({ description: 'Whether the model can be called now.', example: true }),
    state: z.enum(ROUTE_STATES).openapi({
      description:
        'The worst of its states in the processes. `resting`: it is skipped. `probing`: its rest is over, and it has not answered since. `failing`: every attempt of the window failed, and there were too few for a rest. `answering`: an attempt of the window was answered. `idle`: there was none.',
      example: 'resting',
    }),
    processes: z
      .object({
        resting: processCount,
        probing: processCount,
        failing: processCount,
        answering: processCount,
        idle: processCount,
      })
      .openapi({ description: 'How many processes have it in each state.' }),
    rest: rest.nullable().openapi({ description: 'The rest that ends last; null unless it rests.' }),
    answered: z.int().openapi({ description: 'Attempts of the window that were answered.', example: 12 }),
    failed: z.int().openapi({ description: 'Attempts of the window that failed.', example: 30 }),
    day,
  })
  .openapi('ProviderRoute');

const provider = z
  .object({
    name: z.string().openapi({ example: 'main' }),
    kind: z.string().openapi({ example: 'openai' }),
    state: z.enum(PROVIDER_STATES).openapi({
      description:
        '`key_refused`: it refuses the configured key. `resting`: all its routes rest, in all processes. `degraded`: a route rests, is probed or fails. `full`: a process has as many attempts under way as it may.',
      example: 'degraded',
    }),
    attempts: z.int().openapi({ description: 'Attempts under way, in all processes.', example: 3 }),
    concurrency_max: z
      .int()
      .nullable()
      .openapi({ description: 'The most attempts that each process may have under way; null: no limit.', example: 20 }),
    full_processes: z
      .int()
      .openapi({ description: 'How many processes have so many under way, and skip its routes.', example: 0 }),
    day: day.openapi({ description: 'How the attempts at its routes of the last 24 hours ended.' }),
    routes: z.array(route),
  })
  .openapi('Provider');

export const providers = z
  .object({
    processes: z.int().openapi({ description: 'How many processes of this instance serve.', example: 2 }),
    processes_answered: z.int().openapi({ description: 'How many of them have answered within a second.', example: 2 }),
    window_ms: z.int().openapi({ description: 'How far back results count: `routing.window`.', example: 60_000 }),
    day_since: timestamp.openapi({
      description: 'The first moment that counts for `day`: 23 hours before the beginning of this hour.',
    }),
    data: z.array(provider),
  })
  .openapi('Providers');

export type ProvidersJson = z.infer<typeof providers>;
export type RouteDayJson = z.infer<typeof day>;
export type ProviderJson = z.infer<typeof provider>;
export type ProviderRouteJson = z.infer<typeof route>;
