import type { AdminClient } from '../../control/admin/client.ts';

type Delivery = Awaited<ReturnType<AdminClient['testWebhook']>>;

/** The endpoint to test; `workspace` is null if it is the operator's. */
export interface TestedWebhook {
  readonly workspace: string | null;
  readonly id: string;
}

/** How long a test may take before its command gives up on the outcome. */
const TEST_MS_MAX = 20_000;
const POLL_MS = 500;

/** Sends a test, and returns its delivery once there was an attempt, or too much time has passed. */
export async function deliveryOutcome(client: AdminClient, { workspace, id }: TestedWebhook): Promise<Delivery> {
  let delivery = await client.testWebhook(workspace, id);
  const untilMs = performance.now() + TEST_MS_MAX;
  while (delivery.state === 'waiting' && delivery.last_error === null && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    delivery = await client.showDelivery(workspace, delivery.id);
  }
  return delivery;
}
