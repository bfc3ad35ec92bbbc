import { join } from 'node:path';
import { FORMER_WEBHOOK_SECRET, WEBHOOK_SECRET } from '../../control/alerts/webhook-endpoints.ts';
import type { Config, SecretsConfig } from '../../config/config.ts';
import { encryptClearResponses } from '../database/clear-responses.ts';
import { type EncryptedColumn, encryptClearValues } from '../../control/encryption/encrypted-column.ts';
import { GivenKeys } from '../../control/encryption/given-keys.ts';
import type { KeyEncryption } from '../../control/encryption/key-encryption.ts';
import { KeyFile } from '../../control/encryption/key-file.ts';
import { KeyProgram } from '../../control/encryption/key-program.ts';
import { Keyring } from '../../control/encryption/keyring.ts';
import { AUTHENTICATOR_SECRET } from '../../control/identity/authenticators.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Home } from '../process/data-directory.ts';
import type { Log } from '../telemetry/log.ts';

/** The columns that earlier versions have filled in clear. */
const ENCRYPTED: readonly EncryptedColumn[] = [AUTHENTICATOR_SECRET, WEBHOOK_SECRET, FORMER_WEBHOOK_SECRET];
/** In the data directory. */
const KEY_FILE = 'secrets.key';

const FIRST_MS = 1_000;

interface KeyringParts {
  readonly config: Pick<Config, 'secrets'>;
  readonly home: Pick<Home, 'path'>;
  readonly sql: ControlSql;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

/**
 * The keyring of this process. Its keys are loaded in the background: without them everything else is served. That they can't
 * be loaded any more while the process closes, as after a failed start, is nobody's concern.
 * @throws KeyEncryptionFault if the environment holds something that is no key
 */
export function openKeyring({ config, home, sql, log, closing }: KeyringParts): Keyring {
  const keyring = new Keyring(sql, keyEncryptionOf(config.secrets, home.path), new SystemClock());
  const report = async (): Promise<void> => {
    const problem = await keyring.problem();
    if (problem !== null) log.error({ event: 'secrets_unusable' }, problem);
  };
  let isOpen = true;
  closing.defer(() => {
    isOpen = false;
  });
  report().catch((fault: unknown) => {
    if (isOpen) log.warn({ err: fault }, 'the keys of secrets could not be loaded; will retry');
  });
  return keyring;
}

function keyEncryptionOf(secrets: SecretsConfig, dataDirectory: string): KeyEncryption {
  switch (secrets.kind) {
    case 'given':
      return new GivenKeys('FAREGATE_SECRETS_KEY', secrets.keys);
    case 'command':
      return new KeyProgram(secrets);
    case 'file':
      return new KeyFile(secrets.path ?? join(dataDirectory, KEY_FILE));
  }
}

/** Encrypts what earlier versions have written, or still write: soon, and from time to time. One process is enough. */
export function startEncryption({
  sql,
  keyring,
  log,
  closing,
}: {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}): void {
  const encrypting = new Housekeeping(
    new SystemClock(),
    [() => encryptClearValues(sql, keyring, ENCRYPTED), () => encryptClearResponses(sql, keyring)],
    (fault) => log.warn({ err: fault }, 'secrets in clear could not be encrypted; will retry'),
    { firstMs: FIRST_MS },
  );
  encrypting.start();
  closing.defer(() => encrypting.stop());
}
