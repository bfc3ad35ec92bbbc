import { recordAudit } from '../audit/audit.ts';
import { refuse } from '../../domain/refusals.ts';
import { KeyEncryptionFault, RotationRefused } from '../encryption/key-encryption.ts';
import type { Keyring } from '../encryption/keyring.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { answerRefusal, json, ok } from './answers.ts';
import * as contract from './contract.ts';
import { type AdminApp, operatorRoute } from './route-access.ts';

export interface SecretsDependencies {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  /** Whether other instances may use the database. */
  readonly isShared: boolean;
}

const rotate = operatorRoute({
  operationId: 'rotateSecretsKey',
  refuses: ['CONFLICT'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/secrets/rotate',
  tags: ['Instance'],
  summary: "Replace the key that encrypts the database's secrets",
  request: { body: json(contract.secretsRotation, {}) },
  responses: ok(contract.rotatedSecrets, 'The former key is not needed any more.'),
});

/** Adds the route by which the key of the database's secrets is replaced. */
export function addSecretsRoutes(app: AdminApp, { sql, keyring, isShared }: SecretsDependencies): void {
  app.openapi(rotate, async (c) => {
    const { give_up_lost: givesUp = false } = c.req.valid('json');
    try {
      const lost = givesUp ? await keyring.giveUpLost() : 0;
      const rewrapped = givesUp ? 0 : await keyring.rotate(isShared);
      await recordAudit(sql, c.var.operator.act, {
        action: 'secrets.rotate',
        target: { kind: 'instance', id: 'secrets' },
        after: { rewrapped, lost },
      });
      return c.json({ rewrapped, lost }, 200);
    } catch (fault) {
      // Its message is for operators, and names what to do.
      if (fault instanceof RotationRefused || fault instanceof KeyEncryptionFault) {
        return answerRefusal(c, refuse('CONFLICT', `The key was not replaced: ${fault.message}`));
      }
      throw fault;
    }
  });
}
