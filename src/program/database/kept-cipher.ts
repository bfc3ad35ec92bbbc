import { type DataKey, encryptLong, type Place } from '../../control/encryption/envelope.ts';
import { KeyEncryptionFault } from '../../control/encryption/key-encryption.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import type { KeptResponse } from '../../gate/gateway/response-store.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';

/** What of a response is encrypted by itself: its request's own items, its answer's items, and the answer whole. */
type Part = 'input' | 'output' | 'response';

interface EncryptedParts {
  readonly input: Buffer;
  /** Empty if the answer has no items. */
  readonly output: Buffer;
  readonly response: Buffer;
}

/** A response with encrypted parts. */
export interface EncryptedResponse extends EncryptedParts {
  readonly kept: KeptResponse;
}

/** The items of a response as they are stored. */
export interface StoredPart {
  readonly requestId: string;
  readonly encrypted: boolean;
  /** Of the request's own items, as they are stored. */
  readonly inputLength: number;
  readonly pieces: readonly Buffer[];
}

const COMMA = Buffer.from(',');

function placeOf(part: Part, requestId: string): Place {
  return { table: 'stored_responses', column: part, row: requestId };
}

/** Encrypts responses. @throws KeyEncryptionFault, DatabaseUnavailable */
export async function encryptResponses(
  keyring: Pick<Keyring, 'present'>,
  responses: readonly KeptResponse[],
): Promise<readonly EncryptedResponse[]> {
  const key = await keyring.present();
  const encrypted: EncryptedResponse[] = [];
  for (const kept of responses) encrypted.push({ kept, ...(await encryptParts(key, kept.requestId, kept.entry)) });
  return encrypted;
}

/** Encrypts the parts of a response, each by itself. */
export async function encryptParts(
  key: DataKey,
  requestId: string,
  { input, output, response }: Pick<KeptResponse['entry'], 'input' | 'output' | 'response'>,
): Promise<EncryptedParts> {
  return {
    input: await encryptLong(key, placeOf('input', requestId), ...input),
    output: output.length === 0 ? output : await encryptLong(key, placeOf('output', requestId), output),
    response: await encryptLong(key, placeOf('response', requestId), response),
  };
}

/** The items of a response: JSON with commas between them, in pieces. @throws DatabaseUnavailable, CiphertextFault */
export async function decryptItems(keyring: Keyring, stored: StoredPart): Promise<readonly Buffer[]> {
  const { requestId, encrypted, inputLength, pieces } = stored;
  if (!encrypted) return pieces;
  const bytes = Buffer.concat(pieces);
  const input = await decrypt(keyring, placeOf('input', requestId), bytes.subarray(0, inputLength));
  if (bytes.length === inputLength) return [input];
  return [input, COMMA, await decryptOutput(keyring, requestId, bytes.subarray(inputLength))];
}

/** The items of an answer. @throws DatabaseUnavailable, CiphertextFault */
export async function decryptOutput(keyring: Keyring, requestId: string, bytes: Buffer): Promise<Buffer> {
  return await decrypt(keyring, placeOf('output', requestId), bytes);
}

/** An answer whole. @throws DatabaseUnavailable, CiphertextFault */
export async function decryptAnswer(keyring: Keyring, requestId: string, pieces: readonly Buffer[]): Promise<Buffer> {
  return await decrypt(keyring, placeOf('response', requestId), Buffer.concat(pieces));
}

async function decrypt(keyring: Keyring, place: Place, bytes: Buffer): Promise<Buffer> {
  try {
    return await keyring.decrypt(place, bytes);
  } catch (fault) {
    // Without the key it is as good as away, until the operator puts it back.
    if (fault instanceof KeyEncryptionFault) {
      throw new DatabaseUnavailable('the key of kept responses is missing', { cause: fault });
    }
    throw fault;
  }
}
