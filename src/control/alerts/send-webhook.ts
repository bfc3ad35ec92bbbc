import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { KeyEncryptionFault } from '../encryption/key-encryption.ts';
import { readEncrypted } from '../encryption/encrypted-column.ts';
import type { Keyring } from '../encryption/keyring.ts';
import type { SendResult, SignedNotice, WebhookNotice } from './notice.ts';
import { NOTICE_ID_HEADER, SIGNATURE_HEADER, signatureOf } from './signature.ts';
import { type TargetNetwork, TargetRefused } from '../../lib/target-network.ts';
import { sendToTarget } from '../../lib/target-request.ts';

/** For everything: the connection, the request and the answer. */
const ATTEMPT_MS_MAX = 10_000;
/** More of an answer is not read; its content means nothing here, and is kept nowhere. */
const ANSWER_BYTES_MAX = 65_536;
const RETRY_AFTER_MS_MAX = 4 * 3_600_000;
/** The receiver says that it is gone for good. */
const GONE = 410;

/**
 * Delivers a webhook: one POST to an address that was checked, without redirects, within 10 s. Any status from 200 to 299
 * counts as received. Never throws.
 */
export async function sendWebhook(
  network: TargetNetwork,
  { id, url: text, body, secrets }: SignedNotice,
  { nowMs, attemptMsMax = ATTEMPT_MS_MAX }: { readonly nowMs: number; readonly attemptMsMax?: number },
): Promise<SendResult> {
  const signal = AbortSignal.timeout(attemptMsMax);
  try {
    const url = network.readUrl(text);
    const address = await network.locate(url);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'faregate',
      [NOTICE_ID_HEADER]: id,
      [SIGNATURE_HEADER]: signatureOf(body, secrets, nowMs),
    };
    const response = await sendToTarget({ url, address, method: 'POST', headers, body, signal });
    return await resultOf(response);
  } catch (fault) {
    return failed(reasonOf(fault, signal.aborted));
  }
}

/**
 * The webhook with its secrets. While the key of the database's secrets is missing, the attempt has failed, since an unsigned
 * one would be refused for good. @throws CiphertextFault, DatabaseUnavailable
 */
export async function readSecrets(keyring: Keyring, notice: WebhookNotice): Promise<SignedNotice | SendResult> {
  try {
    const secrets: string[] = [];
    for (const { place, ...value } of notice.secrets) {
      const secret = await readEncrypted(keyring, place, value);
      if (secret !== null) secrets.push(secret.toString());
    }
    return { ...notice, secrets };
  } catch (fault) {
    if (fault instanceof KeyEncryptionFault) return failed('its secret can not be decrypted: rotate it');
    throw fault;
  }
}

function failed(reason: string, status: number | null = null, retryAfterMs = 0): SendResult {
  return { kind: 'failed', reason, status, retryAfterMs };
}

async function resultOf(response: IncomingMessage): Promise<SendResult> {
  const status = response.statusCode ?? 0;
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // The status has said everything.
    if (bytes > ANSWER_BYTES_MAX) response.destroy();
  });
  await finished(response).catch((fault: unknown) => {
    if (bytes <= ANSWER_BYTES_MAX) throw fault;
  });
  if (status >= 200 && status < 300) return { kind: 'sent', status };
  const reason =
    status >= 300 && status < 400 ? `it answered ${status}: redirects are not followed` : `it answered ${status}`;
  if (status === GONE) return { kind: 'rejected', reason, status };
  return failed(reason, status, retryAfterMsOf(response.headers['retry-after']));
}

function retryAfterMsOf(header: string | undefined): number {
  if (header === undefined || !/^\d{1,9}$/.test(header)) return 0;
  return Math.min(RETRY_AFTER_MS_MAX, Number(header) * 1_000);
}

/** A line for the owner of the endpoint. Addresses are left out: they would show what the operator's DNS answers. */
function reasonOf(fault: unknown, isTimedOut: boolean): string {
  if (fault instanceof TargetRefused) return `the URL ${fault.message}`;
  if (isTimedOut) return 'it took too long';
  const code = fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : 'unknown';
  return `the connection failed (${code})`;
}
