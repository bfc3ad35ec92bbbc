import { Outbox } from '../../control/alerts/outbox.ts';
import type { SendResult } from '../../control/alerts/notice.ts';
import { sendMail } from '../../control/alerts/send-mail.ts';
import { readSecrets, sendWebhook } from '../../control/alerts/send-webhook.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import type { Config } from '../../config/config.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { orAfter } from '../../lib/pause.ts';
import type { Log } from '../telemetry/log.ts';

/** For what is being sent when the program stops. The rest is sent after the next start. */
const LAST_SENDS_MS = 3_000;

/** Sends mails and webhooks until the program stops. One process of an instance is enough for it. */
export function startOutbox(parts: {
  readonly config: Pick<Config, 'mail' | 'webhooks'>;
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}): void {
  const { config, sql, keyring, log, closing } = parts;
  const clock = new SystemClock();
  const network = new TargetNetwork(config.webhooks.allowedNetworks);
  const { mail } = config;
  const outbox = new Outbox({
    sql,
    clock,
    random: Math.random,
    senders: {
      mail: (notice) => (mail === null ? Promise.resolve(NO_MAIL) : sendMail(mail, notice)),
      webhook: async (notice) => {
        const signed = await readSecrets(keyring, notice);
        return 'kind' in signed ? signed : await sendWebhook(network, signed, { nowMs: clock.nowMs() });
      },
    },
    onGivenUp: ({ id, channel, workspaceId }, reason) =>
      log.warn({ event: 'notice_given_up', notice: id, channel, workspaceId, reason }, 'a notice is given up'),
    onFault: (fault) => log.warn({ err: fault }, 'the outbox could not be read or written; will retry'),
  });
  outbox.start();
  closing.defer(() => orAfter(clock, outbox.stop(), LAST_SENDS_MS));
}

const NO_MAIL: SendResult = {
  kind: 'rejected',
  reason: 'mail is not configured',
  status: null,
};
