import type { Model, Route } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import type { CallerAddresses } from '../../lib/caller-addresses.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PrincipalCache } from '../principals/principal-cache.ts';
import type { RateLimiter } from '../purses/permits/rate-limiter.ts';
import type { Purses } from '../purses/leases/purses.ts';
import type { Health } from '../upstreams/health/health.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Deadlines } from './attempts/deadlines.ts';
import type { Forwarder } from './forwarder.ts';
import type { ContentRecorder } from './content-recorder.ts';
import type { IdempotencyStore } from './claims/idempotency-store.ts';
import type { KeyRate } from './questions/key-rate.ts';
import type { KeyReads } from './questions/key-reads.ts';
import type { Observer } from './observer.ts';
import type { Pulse } from './answers/pulse.ts';
import type { RecentFailures } from './recent-failures.ts';
import type { Tracer } from './request-trace.ts';
import type { ResponseStore } from './response-store.ts';
import type { StructuredOutput } from './by-schema/structured-output.ts';

/** All in milliseconds. */
export interface GatewayTimeouts {
  /** A plain call as a whole. */
  readonly plainMs: number;
  /** A stream as a whole. */
  readonly streamMs: number;
  /** The first data event of a requested stream. */
  readonly firstEventMs: number;
  /** How long an abandoned stream is read for its usage. */
  readonly usageMs: number;
  /** How long a finished stream waits for its usage. */
  readonly finishMs: number;
}

/** The upstream of a route; undefined if its provider isn't configured. */
export interface RouteUpstreams {
  of(route: Route): Upstream | undefined;
}

/** The models on sale. */
export interface ModelsOnSale {
  /** The model with this public id at the price that this workspace pays, if it can be called. */
  find(id: string, workspaceId: string): Model | undefined;
  /** All models that can be called, at list prices. */
  list(): readonly Model[];
}

/** A receipt in the form for its caller. */
export interface ShownReceipt {
  /** The key that made the request. */
  readonly keyId: string;
  readonly json: object;
}

/** The parts of the request path. */
export interface GatewayDeps {
  readonly principals: Pick<PrincipalCache, 'find'>;
  /** Finds the address of a caller behind trusted proxies. */
  readonly addresses: Pick<CallerAddresses, 'find'>;
  readonly catalogue: ModelsOnSale;
  readonly receipts: {
    /** A receipt of the principal's workspace, of any of its keys. @throws DatabaseUnavailable */
    find(principal: Principal, requestId: string): Promise<ShownReceipt | null>;
  };
  readonly keyReads: Pick<KeyReads, 'read'>;
  readonly forwarder: Forwarder;
  /** Bounds how often a key may count tokens. */
  readonly countRate: KeyRate;
  readonly idempotency: IdempotencyStore;
  readonly responses: ResponseStore;
  /** Bounds how often a key may read or delete responses. */
  readonly responseRate: KeyRate;
  readonly permits: Pick<RateLimiter, 'take'>;
  readonly purses: Purses;
  readonly upstreams: RouteUpstreams;
  readonly health: Pick<Health, 'of' | 'inTier' | 'drains'>;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly tracer: Tracer;
  readonly content: ContentRecorder;
  readonly failures: Pick<RecentFailures, 'add' | 'takeRepeated'>;
  readonly pulse: Pulse;
  readonly deadlines: Deadlines;
  readonly structured: StructuredOutput;
  /** Returns random numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly timeouts: GatewayTimeouts;
}
