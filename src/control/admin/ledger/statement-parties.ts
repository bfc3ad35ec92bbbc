import type { Party } from '../../../domain/statement-party.ts';
import type { Workspace } from '../../accounts/workspaces.ts';

/** Both parties of a statement; the seller is named by the operator. */
export interface Parties {
  readonly seller: Party | null;
  readonly buyer: Party;
}

export function buyerOf({ name, billingName, billingAddress, billingTaxId }: Workspace): Party {
  return { name: billingName ?? name, address: billingAddress, taxId: billingTaxId };
}
