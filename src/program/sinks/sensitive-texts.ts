import type { Redaction } from '../../domain/sinks.ts';

// What looks like a secret or names a person, in texts of any length: every expression takes time in proportion to the text.

type Pattern = Exclude<Redaction, 'texts'>;

/** Only texts with this character are looked into: nearly none of a long one is. */
const MAIL_SIGN = '@';
const MAIL_ADDRESS = /[^\s@<>"'`(),;:[\]\\]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

const CARD_NUMBER = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** With a country code, a leading zero or a bracket; or in the form of North America. */
const PHONE_NUMBER =
  /(?<![\p{L}\p{N}+])(?:(?:\+|0|\(\+?)\d[\d ()./-]{5,22}\d|\d{3}[-. ]\d{3}[-. ]\d{4})(?![\p{L}\p{N}])/gu;
const PHONE_DIGITS = { least: 7, most: 15 };

const KEY =
  /\b(?:fg[a-z]{0,8}_(?:live_)?|sk-|[rsp]k_(?:live|test)_|whsec_|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|hf_|gsk_|xai-|AIza|AKIA|ASIA)[\w-]{12,}/g;
const TOKEN = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g;

const REPLACED: Readonly<Record<Pattern, (text: string) => string>> = {
  keys: (text) => [PRIVATE_KEY, TOKEN, KEY].reduce((left, pattern) => left.replace(pattern, '[key]'), text),
  mail_addresses: (text) => (text.includes(MAIL_SIGN) ? text.replace(MAIL_ADDRESS, '[mail address]') : text),
  card_numbers: (text) => text.replace(CARD_NUMBER, (digits) => (passesLuhn(digits) ? '[card number]' : digits)),
  phone_numbers: (text) => text.replace(PHONE_NUMBER, (found) => (isPhoneNumber(found) ? '[phone number]' : found)),
};

/** Cards before phones, whose form some of them have; keys first of all. */
const ORDER = Object.keys(REPLACED) as readonly Pattern[];

/** The text with these replaced by what they are. */
export function withoutSensitive(text: string, redact: ReadonlySet<Redaction>): string {
  return ORDER.reduce((left, pattern) => (redact.has(pattern) ? REPLACED[pattern](left) : left), text);
}

/** Whether the digits end in the check digit that card numbers have. */
function passesLuhn(number: string): boolean {
  const digits = Array.from(number.replace(/\D/g, ''), Number).toReversed();
  const sum = digits.reduce((total, digit, at) => {
    const counted = at % 2 === 0 ? digit : digit * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum > 0 && sum % 10 === 0;
}

function isPhoneNumber(text: string): boolean {
  const { length } = text.replace(/\D/g, '');
  return length >= PHONE_DIGITS.least && length <= PHONE_DIGITS.most;
}
