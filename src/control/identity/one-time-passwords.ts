import { createHmac } from 'node:crypto';

// Codes of authenticator apps: RFC 6238 with SHA-1, six digits and steps of 30 s, which all apps know.

const STEP_SECONDS = 30;
const DIGITS = 6;
/** A code counts one step before and after its own, for clocks that differ. */
const DRIFT_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The number of the step at a time. */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / 1_000 / STEP_SECONDS);
}

/** The code of a step. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The time steps near now that have this code. */
export function stepsOf(secret: Buffer, code: string, nowMs: number): readonly number[] {
  const now = stepAt(nowMs);
  const steps = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, index) => now - DRIFT_STEPS + index);
  return steps.filter((step) => codeOf(secret, step) === code);
}

/** The form of a code of an app; others may be recovery codes. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** Bytes as apps take them from people who type. */
export function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32.charAt((value >>> (bits - 5)) & 31);
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text;
}

/** The address in the code that apps scan. */
export function authenticatorUri(secret: Buffer, account: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
