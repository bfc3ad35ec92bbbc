import { recordAudit } from '../audit/audit.ts';
import { refuse } from '../../domain/refusals.ts';
import { KeyEncryptionFault, RotationRefused } from '../encryption/key-encryption.ts';
import type { Keyring } from '../encryption/keyring.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { AdminApp } from './route-access.ts';
import { serve } from './serve.ts';

export interface SecretsDependencies {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  /** Whether other instances may use the database. */
  readonly isShared: boolean;
}

/** Adds the route by which the key of the database's secrets is replaced. */
export function addSecretsRoutes(app: AdminApp, { sql, keyring, isShared }: SecretsDependencies): void {
  serve(app, 'rotateSecretsKey', async ({ operator, body }) => {
    const { give_up_lost: givesUp = false } = body;
    try {
      const lost = givesUp ? await keyring.giveUpLost() : 0;
      const rewrapped = givesUp ? 0 : await keyring.rotate(isShared);
      await recordAudit(sql, operator.act, {
        action: 'secrets.rotate',
        target: { kind: 'instance', id: 'secrets' },
        after: { rewrapped, lost },
      });
      return { rewrapped, lost };
    } catch (fault) {
      // Its message is for operators, and names what to do.
      if (fault instanceof RotationRefused || fault instanceof KeyEncryptionFault) {
        return refuse('CONFLICT', `The key was not replaced: ${fault.message}`);
      }
      throw fault;
    }
  });
}
