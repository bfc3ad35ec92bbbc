import { isMailAddress } from '../../domain/mail-address.ts';

/** An address as it is stored and compared: trimmed, in lower case, composed; null if it is none. */
export function normalisedEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase();
  return isMailAddress(email) ? email : null;
}
