/** The seller or the buyer of a statement. */
export interface Party {
  readonly name: string;
  /** In one line. */
  readonly address: string | null;
  readonly taxId: string | null;
}

/** A party in one line. */
export function partyLine({ name, address, taxId }: Party): string {
  return [name, address, taxId].filter((part) => part !== null).join(', ');
}
