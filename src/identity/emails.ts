const LENGTH_MAX = 254;
const FORM = /^[^\s@<>"(),:;\\[\]\p{Cc}\p{Cs}]{1,64}@[^\s@<>"(),:;\\[\]\p{Cc}\p{Cs}]{1,253}$/u;

/** An address as it is stored and compared: trimmed, in lower case, composed; null if it is none. */
export function normalisedEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase();
  return email.length <= LENGTH_MAX && FORM.test(email) ? email : null;
}
