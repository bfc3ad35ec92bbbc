import type { Workspace } from '../../accounts/workspaces.ts';

/** The seller or the buyer of a statement. */
export interface Party {
  readonly name: string;
  /** In one line. */
  readonly address: string | null;
  readonly taxId: string | null;
}

/** Both parties of a statement; the seller is named by the operator. */
export interface Parties {
  readonly seller: Party | null;
  readonly buyer: Party;
}

export function buyerOf({ name, billingName, billingAddress, billingTaxId }: Workspace): Party {
  return { name: billingName ?? name, address: billingAddress, taxId: billingTaxId };
}

/** A party in one line. */
export function partyLine({ name, address, taxId }: Party): string {
  return [name, address, taxId].filter((part) => part !== null).join(', ');
}
