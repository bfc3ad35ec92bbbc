import { randomUUID } from 'node:crypto';
import { recordAudit } from '../audit/audit.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Sql } from '../../lib/sql.ts';
import { amountRefusal, feeOn, isWholeCents, type TopUpTerms } from '../../domain/payment-amounts.ts';
import { applyPaymentEvent, type AppliedEvent, type PaymentEvent } from './payment-facts.ts';
import { type CheckoutRequest, type PaymentProvider, ProviderUnavailable } from './payment-provider.ts';
import { showPaymentSettings } from './payment-settings.ts';
import { createTopUp, findTopUp, keepCheckout, type TopUp } from './top-ups.ts';

const RETRY_AFTER_MS = 1_000;

export interface PaymentsParts {
  readonly sql: Sql;
  /** Null: no provider is configured. */
  readonly provider: PaymentProvider | null;
  readonly terms: TopUpTerms;
  /** Called for each event that contradicts its top-up, or can't be read. */
  readonly onMismatch: (event: PaymentEvent, applied: AppliedEvent) => void;
}

/** A top-up to be paid. */
export interface TopUpWish {
  readonly amount: NanoUsd;
  /** The payer agrees that the means of payment is kept. */
  readonly savesMethod: boolean;
  readonly once: string | null;
}

/** Takes payments through the configured provider. */
export class Payments {
  readonly #parts: PaymentsParts;

  constructor(parts: PaymentsParts) {
    this.#parts = parts;
  }

  get terms(): TopUpTerms {
    return this.#parts.terms;
  }

  /** The configured provider's name; null: none, so that the operator grants credit. */
  get provider(): string | null {
    return this.#parts.provider?.name ?? null;
  }

  /**
   * Makes a top-up and the page on which it is paid. The row is there before the provider is asked; a repeat with the same
   * `once` goes on where the former try ended.
   */
  async startTopUp(
    scope: WorkspaceScope,
    { amount, savesMethod, once }: TopUpWish,
  ): Promise<(TopUp & { readonly repeated: boolean }) | Refusal> {
    const { sql, provider, terms } = this.#parts;
    if (provider === null) return noProvider();
    const refusal = amountRefusal(amount, terms);
    if (refusal !== null) return refusal;
    const order = { origin: 'checkout', amount, fee: feeOn(amount, terms.fee), savesMethod, once } as const;
    const topUp = await createTopUp(sql, scope, { ...order, provider: provider.name });
    if (isRefusal(topUp) || topUp.state !== 'pending' || topUp.checkoutReference !== null) return topUp;
    const opened = await this.openCheckout(scope, topUp);
    return isRefusal(opened) ? opened : { ...opened, repeated: topUp.repeated };
  }

  /** Opens the page on which a pending top-up is paid. */
  async openCheckout(scope: WorkspaceScope, topUp: TopUp): Promise<TopUp | Refusal> {
    const { sql, provider } = this.#parts;
    if (provider === null) return noProvider();
    const settings = await showPaymentSettings(sql, scope);
    const customer = settings.provider === provider.name ? settings.customer : null;
    const { id: topUpId, workspaceId, amount, fee, createdAt, savesMethod } = topUp;
    const request: CheckoutRequest = { topUpId, workspaceId, amount, fee, createdAt, savesMethod, customer };
    const checkout = await this.#asked(() => provider.openCheckout(request));
    if (isRefusal(checkout)) {
      if (checkout.code !== 'SERVICE_UNAVAILABLE') await this.#fail(topUp, checkout);
      return checkout;
    }
    await keepCheckout(sql, workspaceId, topUpId, checkout);
    return (await findTopUp(sql, scope, topUpId)) ?? topUp;
  }

  /** Refunds a payment, or a part of it. Its credit is taken as the provider reports the refund. */
  async refund(
    scope: WorkspaceScope,
    topUpId: string,
    { amount, once }: { readonly amount: NanoUsd | null; readonly once: string | null },
  ): Promise<TopUp | Refusal> {
    const { sql, provider } = this.#parts;
    const topUp = await findTopUp(sql, scope, topUpId);
    if (topUp === null) return refuse('NOT_FOUND', 'There is no such top-up.');
    const { payment, state } = topUp;
    if (state !== 'paid' || payment === null) return refuse('CONFLICT', `This top-up is ${state}: nothing was paid.`);
    if (provider === null || provider.name !== topUp.provider) {
      const message = `A payment by ${topUp.provider} can't be refunded here: post a refund or an adjustment by hand.`;
      return refuse('CONFLICT', message);
    }
    if (amount !== null && !isWholeCents(amount)) {
      return refuse('INVALID_REQUEST', 'A refund is whole cents.', { param: 'amount_usd' });
    }
    const name = once === null ? randomUUID() : `${topUpId}-${once}`;
    const after = { amount_nano_usd: amount?.toString() ?? null, payment };
    const target = { kind: 'top_up', id: topUpId };
    await sql.transaction((tx) => recordAudit(tx, scope, { action: 'payment.refund', target, after }));
    const event = await this.#asked(() => provider.refund({ payment, amount, once: name }));
    if (isRefusal(event)) return event;
    await this.apply(event);
    return (await findTopUp(sql, scope, topUpId)) ?? topUp;
  }

  /** Applies an event. @throws DatabaseUnavailable */
  async apply(event: PaymentEvent): Promise<AppliedEvent> {
    const applied = await applyPaymentEvent(this.#parts.sql, event);
    if (applied.outcome === 'mismatch') this.#parts.onMismatch(event, applied);
    return applied;
  }

  async #fail({ id: topUpId, workspaceId }: TopUp, { message }: Refusal): Promise<void> {
    const fact = { kind: 'failed', failure: message.slice(0, 200), topUpId, workspaceId, origin: 'checkout' } as const;
    await this.apply({ provider: this.provider ?? '', id: `checkout:${topUpId}`, fact });
  }

  async #asked<Result>(ask: () => Promise<Result>): Promise<Result | Refusal> {
    try {
      return await ask();
    } catch (fault) {
      if (!(fault instanceof ProviderUnavailable)) throw fault;
      const message = 'The payment provider did not answer. Send the same request again, with the same once.';
      return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
    }
  }
}

function noProvider(): Refusal {
  const message = 'This instance takes no payments: its operator grants credit, or hands out redemption codes.';
  return refuse('CONFLICT', message);
}
