import { refuse, type Refusal } from '../../domain/refusals.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const LENGTH_MIN = 10;
const LENGTH_MAX = 256;

/** The rules for new passwords, in one sentence. */
export const PASSWORD_RULES = `A password has ${LENGTH_MIN} to ${LENGTH_MAX} characters, is not the email address, and is not a common password.`;

/** The refusal of a password that a user may not have; null: it is good enough. */
export function refusalOfPassword(password: string, email: string): Refusal | null {
  const given = password.toLowerCase();
  const [localPart = ''] = email.split('@', 1);
  const isFit =
    password.length >= LENGTH_MIN &&
    password.length <= LENGTH_MAX &&
    given !== email &&
    given.replace(/\d{1,4}$/, '') !== localPart &&
    new Set(given).size > 3 &&
    !COMMON_PASSWORDS.has(given);
  return isFit ? null : refuse('INVALID_REQUEST', PASSWORD_RULES, { param: 'password' });
}
