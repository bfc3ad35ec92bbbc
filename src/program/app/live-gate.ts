import type { GatewayTimeouts } from '../../gate/gateway/gateway-deps.ts';
import type { Spending } from '../../gate/purses/spending.ts';
import type { LiveGatewayDeps } from './adopt-config.ts';

type Present = 'permits' | 'purses' | 'tracer';

/** Where the parts come from that may be others for the next request. */
interface Sources {
  readonly spending: Pick<Spending, 'permits' | 'purses'>;
  readonly exporting: Pick<LiveGatewayDeps, 'tracer'>;
}

/**
 * The parts of the request path. It is a class so that all gates of a process have one shape: V8 compiles the path for the
 * shapes that it has seen, those of the warm-up among them.
 */
export class LiveGate implements LiveGatewayDeps {
  readonly principals: LiveGatewayDeps['principals'];
  readonly addresses: LiveGatewayDeps['addresses'];
  readonly catalogue: LiveGatewayDeps['catalogue'];
  readonly forwarder: LiveGatewayDeps['forwarder'];
  readonly receipts: LiveGatewayDeps['receipts'];
  readonly keyReads: LiveGatewayDeps['keyReads'];
  readonly countRate: LiveGatewayDeps['countRate'];
  readonly idempotency: LiveGatewayDeps['idempotency'];
  readonly responses: LiveGatewayDeps['responses'];
  readonly responseRate: LiveGatewayDeps['responseRate'];
  readonly upstreams: LiveGatewayDeps['upstreams'];
  readonly health: LiveGatewayDeps['health'];
  readonly clock: LiveGatewayDeps['clock'];
  readonly observer: LiveGatewayDeps['observer'];
  readonly content: LiveGatewayDeps['content'];
  readonly failures: LiveGatewayDeps['failures'];
  readonly structured: LiveGatewayDeps['structured'];
  readonly pulse: LiveGatewayDeps['pulse'];
  readonly deadlines: LiveGatewayDeps['deadlines'];
  readonly random: LiveGatewayDeps['random'];
  timeouts: GatewayTimeouts;
  readonly #sources: Sources;

  constructor(parts: Omit<LiveGatewayDeps, Present>, sources: Sources) {
    this.principals = parts.principals;
    this.addresses = parts.addresses;
    this.catalogue = parts.catalogue;
    this.forwarder = parts.forwarder;
    this.receipts = parts.receipts;
    this.keyReads = parts.keyReads;
    this.countRate = parts.countRate;
    this.idempotency = parts.idempotency;
    this.responses = parts.responses;
    this.responseRate = parts.responseRate;
    this.upstreams = parts.upstreams;
    this.health = parts.health;
    this.clock = parts.clock;
    this.observer = parts.observer;
    this.content = parts.content;
    this.failures = parts.failures;
    this.structured = parts.structured;
    this.pulse = parts.pulse;
    this.deadlines = parts.deadlines;
    this.random = parts.random;
    this.timeouts = parts.timeouts;
    this.#sources = sources;
  }

  get permits(): LiveGatewayDeps['permits'] {
    return this.#sources.spending.permits;
  }

  get purses(): LiveGatewayDeps['purses'] {
    return this.#sources.spending.purses;
  }

  get tracer(): LiveGatewayDeps['tracer'] {
    return this.#sources.exporting.tracer;
  }
}
