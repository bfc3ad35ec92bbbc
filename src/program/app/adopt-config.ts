import type { Config, TimeoutConfig } from '../../config/config.ts';
import type { Catalogue } from '../../control/catalogue/catalogue.ts';
import type { PostgresFreeAnswers } from '../database/free-answers.ts';
import type { StoreLimits } from '../database/keep-arguments.ts';
import type { GatewayDeps, GatewayTimeouts } from '../../gate/gateway/gateway-deps.ts';
import type { Exporting } from '../telemetry/exporting.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { HttpServer } from '../http/server.ts';
import type { Health } from '../../gate/upstreams/health/health.ts';
import type { UpstreamSet } from '../../gate/upstreams/upstream-set.ts';
import { serverTimeouts } from './front.ts';
import { type Offer, sourcesOf } from './offer.ts';
import { storeLimits } from './response-store.ts';

/** How long a finished stream waits for its usage. */
const FINISH_MS = 2_000;

/** The gate's timeouts, from the configuration. */
export function gateTimeouts({ plainMs, streamMs, upstreamFirstEventMs, usageMs }: TimeoutConfig): GatewayTimeouts {
  return { plainMs, streamMs, firstEventMs: upstreamFirstEventMs, usageMs, finishMs: FINISH_MS };
}

/** A gate with replaceable settings. */
export type LiveGatewayDeps = GatewayDeps & { timeouts: GatewayTimeouts; readonly responses: { limits: StoreLimits } };

/** The parts of a gateway that a changed configuration affects while they serve. */
interface AdoptingParts {
  readonly gate: LiveGatewayDeps;
  readonly catalogue: Catalogue;
  readonly upstreams: UpstreamSet;
  readonly health: Health;
  readonly freeAnswers: PostgresFreeAnswers;
  readonly front: HttpServer;
  readonly exporting: Exporting;
  readonly requestLog: Pick<RequestLog, 'isOn'>;
  /** What is offered now. */
  readonly offered: { now: Offer };
}

/**
 * Applies a changed configuration. Running requests end with the routes and upstreams with which they began. @throws
 * DatabaseUnavailable if the prices can't be read; the models are unchanged then
 */
export async function adoptConfig(
  parts: AdoptingParts,
  { timeouts, routing, structured, responses, telemetry }: Config,
  offer: Offer,
): Promise<void> {
  const { gate, catalogue, upstreams, health, front } = parts;
  front.setTimeouts(serverTimeouts(timeouts));
  gate.pulse.intervalMs = timeouts.pingMs;
  gate.timeouts = gateTimeouts(timeouts);
  upstreams.configure(sourcesOf(offer, timeouts));
  parts.freeAnswers.perHour = structured.freePerHour;
  gate.responses.limits = storeLimits(responses);
  health.configure(routing, offer.providers);
  await parts.exporting.configure(telemetry, offer.providers);
  parts.requestLog.isOn = telemetry.requestLog;
  catalogue.configure(offer.models, offer.kept);
  await catalogue.reload();
  parts.offered.now = offer;
  // From now on no request chooses an old route. Requests that already have may begin their last attempt until this
  // time.
  upstreams.closeFormer(Math.max(timeouts.plainMs, timeouts.streamMs));
}
