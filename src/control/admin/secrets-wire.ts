import { json, ok } from './answers.ts';
import * as contract from './contract.ts';

/** Requests and answers of the operations on the key of the database's secrets. */
export const secretsWire = {
  rotateSecretsKey: {
    body: json(contract.secretsRotation, {}),
    responses: ok(contract.rotatedSecrets, 'The former key is not needed any more.'),
  },
};
