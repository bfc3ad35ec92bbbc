import { isMailAddress } from '../../domain/mail-address.ts';

/** An address as it is stored and compared: trimmed, in lower case, composed; null if it is none. */
export function normalisedEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase();
  return isMailAddress(email) ? email : null;
}

/** The domain of a normalised address. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** SQL: the same of the address of a row of `users`. */
export const DOMAIN_OF_USER = "split_part(users.email, '@', 2)";
