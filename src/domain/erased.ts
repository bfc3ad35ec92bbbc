// What stands in the place of a person who was erased. The address keeps the account's id, so that records of the same account
// still belong together, and nobody can have it: no mail reaches a name below "invalid".

export const ERASED_NAME = 'erased';

/** The address that takes the place of the person's. */
export function erasedAddress(userId: string): string {
  return `${userId}@erased.invalid`;
}
