import { formatUsd } from '../../domain/money.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import { inputTokens, outputTokens } from '../../domain/usage.ts';
import type { EndedRequest, Observer } from '../../gate/gateway/observer.ts';
import type { Log } from './log.ts';

/** The longest name of a model that a caller has made up and telemetry shows. */
export const MODEL_CHARACTERS_MAX = 200;

/**
 * A line for each request, for operators who want one: what its receipt says, or its refusal. A request that was refused
 * although its money was held has the line of its refusal alone.
 */
export class RequestLog implements Partial<Observer> {
  readonly #log: Log;
  /** Whether lines are written; may change while requests run. */
  isOn: boolean;

  constructor(log: Log, isOn: boolean) {
    this.#log = log;
    this.isOn = isOn;
  }

  refused({ requestId, principal, endpoint, model, refusal }: RefusedRequest): void {
    if (!this.isOn) return;
    this.#log.info(
      {
        event: 'request',
        requestId,
        workspaceId: principal?.workspaceId ?? null,
        projectId: principal?.projectId ?? null,
        keyId: principal?.keyId ?? null,
        dialect: endpoint,
        model: model?.slice(0, MODEL_CHARACTERS_MAX) ?? null,
        code: refusal.code,
      },
      'request',
    );
  }

  ended({ receipt, code }: EndedRequest, settlementMs: number): void {
    if (!this.isOn || (receipt.attempts.length === 0 && code !== null)) return;
    const { usage, attempts } = receipt;
    const last = attempts.at(-1);
    this.#log.info(
      {
        event: 'request',
        requestId: receipt.requestId,
        clientRequestId: receipt.clientRequestId,
        workspaceId: receipt.workspaceId,
        projectId: receipt.projectId,
        keyId: receipt.keyId,
        dialect: receipt.dialect,
        model: receipt.model,
        streamed: receipt.streamed,
        outcome: receipt.outcome,
        code,
        provider: last?.provider ?? null,
        upstreamModel: last?.upstreamModel ?? null,
        attempts: attempts.length,
        inputTokens: inputTokens(usage.tokens),
        cachedTokens: usage.tokens.cached_input,
        outputTokens: outputTokens(usage.tokens),
        chargeUsd: formatUsd(receipt.charge),
        durationMs: Math.round(receipt.durationMs),
        firstEventMs: receipt.firstEventMs === null ? null : Math.round(receipt.firstEventMs),
        settlementMs: Math.round(settlementMs),
      },
      'request',
    );
  }
}
