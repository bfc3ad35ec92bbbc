import type { DeliveryJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { capitalized } from '../format/capitalized.ts';
import type { Status } from '../ui/status-word.tsx';

// How the sending of a mail or a webhook went, in words.

type Sending = Pick<DeliveryJson, 'channel' | 'state' | 'last_error' | 'last_status'>;

export const DELIVERY_STATE_WORDS: Readonly<Record<DeliveryJson['state'], string>> = {
  waiting: 'waiting',
  sent: 'sent',
  given_up: 'given up',
};

/** Its state as a mark and a word: what waits after a failure is tried again. */
export function deliveryStatus({ state, last_error: error }: Sending): {
  readonly status: Status;
  readonly word: string;
} {
  if (state === 'sent') return { status: 'open', word: 'sent' };
  if (state === 'given_up') return { status: 'closed', word: 'given up' };
  return error === null ? { status: 'waiting', word: 'waiting' } : { status: 'low', word: 'trying again' };
}

/** What the last attempt met with, as a sentence; null: nothing yet. */
export function lastAnswer({ last_error: error, last_status: status, state }: Sending): string | null {
  if (error !== null) return `${capitalized(error)}.`;
  if (state !== 'sent') return null;
  return status === null ? 'It was accepted.' : `It answered ${status}.`;
}

const OF_STATUS: readonly (readonly [from: number, to: number, help: string])[] = [
  [300, 399, 'Change the URL to the one that it leads to: redirects are not followed.'],
  [401, 403, 'The receiver refuses callers without a sign-in. Deliveries carry a signature alone: let it check that.'],
  [404, 405, 'The receiver has nothing at this path, or takes no POST there. Check the URL.'],
  [
    410,
    410,
    'The receiver says that it is gone for good, so it is not tried again. Delete the endpoint or change its URL.',
  ],
  [413, 413, 'The receiver takes no bodies of this size.'],
  [429, 429, 'The receiver takes no more for now.'],
  [400, 499, 'The receiver does not accept the body. See its log for the reason.'],
  [500, 599, 'The receiver failed. See its log at the time of the attempt.'],
];

const OF_TEXT: readonly (readonly [pattern: RegExp, help: string])[] = [
  [/ECONNREFUSED/, 'Nothing listens at this address and port. Start the receiver, or correct the URL.'],
  [/does not resolve/, 'DNS does not know the host. Check its spelling.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/,
    'The connection is not secure: the certificate is expired, for another host, or signed by nobody known.',
  ],
  [/ECONNRESET|EPIPE|HPE_/, 'The receiver closed the connection without an answer.'],
  [/took too long/, 'It has 10 seconds for an answer: let it answer first, and do its work afterwards.'],
  [/not public/, 'Only public addresses are allowed, and those that the operator of this instance has allowed.'],
];

/** What is to be done about a webhook that has failed; null: nothing is known. */
export function deliveryHelp({ channel, last_error: error, last_status: status }: Sending): string | null {
  if (error === null || channel === 'mail') return null;
  if (status !== null) return OF_STATUS.find(([from, to]) => from <= status && status <= to)?.[2] ?? null;
  return OF_TEXT.find(([pattern]) => pattern.test(error))?.[1] ?? null;
}
