import type { MailNotice, SendResult } from './notice.ts';

// Mail goes out by SMTP, through nodemailer. It is loaded when the first mail is sent: most instances send none.

/** Where mails are handed over, and from whom they are. */
export interface MailSettings {
  /** An address such as `smtps://user:password@smtp.example.com`. */
  readonly smtpUrl: string;
  /** An address, or a name with an address in angle brackets. */
  readonly from: string;
}

const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 20_000;
/** For a mail as a whole. */
const ATTEMPT_MS_MAX = 60_000;
/** Below it the server asks to try again later; from it on it will never take this mail. */
const PERMANENT = 500;

/** Hands one mail over to the SMTP server. Never throws. */
export async function sendMail(
  { smtpUrl, from }: MailSettings,
  { id, to, subject, text, html }: MailNotice,
): Promise<SendResult> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      ...(html === null ? {} : { html }),
      messageId: `<${id}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(ATTEMPT_MS_MAX),
    });
    return { kind: 'sent', status: null };
  } catch (fault) {
    return resultOf(fault);
  } finally {
    transport.close();
  }
}

/** The part of the sender behind the @. */
function domainOf(from: string): string {
  return /@([^\s@<>]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

function resultOf(fault: unknown): SendResult {
  const code = stringOf(fault, 'code') ?? 'unknown';
  const status = numberOf(fault, 'responseCode');
  const said = stringOf(fault, 'response');
  const reason =
    said === null ? `the SMTP server could not be used (${code})` : `the SMTP server said: ${oneLineOf(said)}`;
  // What is wrong with the account or the connection may be put right; what is wrong with this mail may not.
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutMail && status !== null && status >= PERMANENT) return { kind: 'rejected', reason, status };
  return { kind: 'failed', reason, status, retryAfterMs: 0 };
}

function oneLineOf(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 200);
}

function stringOf(fault: unknown, field: string): string | null {
  const value: unknown = fault instanceof Error ? Object.entries(fault).find(([name]) => name === field)?.[1] : null;
  return typeof value === 'string' ? value : null;
}

function numberOf(fault: unknown, field: string): number | null {
  const value: unknown = fault instanceof Error ? Object.entries(fault).find(([name]) => name === field)?.[1] : null;
  return typeof value === 'number' ? value : null;
}
