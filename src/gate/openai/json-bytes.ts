// The bytes with a meaning in JSON.

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LETTER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Characters allowed after a backslash, except the u of four digits. */
export const ESCAPES = Buffer.from('"\\/bfnrt');
export const HEX_DIGITS = Buffer.from('0123456789abcdefABCDEF');
