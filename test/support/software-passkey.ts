import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

// A passkey in software, which answers as a browser and its authenticator do.

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A text in CBOR, shorter than 24 bytes. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

/** Bytes in CBOR, shorter than 65,536. */
function bytes(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value]);
}

export interface PasskeyOptions {
  readonly origin: string;
  /** Whether its user is asked for a finger or a PIN. */
  readonly isVerified?: boolean;
  /** Whether it counts its uses. */
  readonly counts?: boolean;
}

/** What may be wrong with an answer. */
export interface AnswerOptions {
  readonly origin?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
}

export class SoftwarePasskey {
  readonly id = randomBytes(32);
  readonly #options: Required<PasskeyOptions>;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #counter = 0;
  #userHandle: string | null = null;

  constructor(options: PasskeyOptions) {
    this.#options = { isVerified: true, counts: true, ...options };
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** Answers creation options. `statement`: an attestation in CBOR, of this format. */
  make(
    options: Readonly<Record<string, unknown>>,
    {
      format = 'none',
      statement = Buffer.from([0xa0]),
      ...wrong
    }: AnswerOptions & { format?: string; statement?: Buffer } = {},
  ) {
    this.#userHandle = (options['user'] as { id: string }).id;
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.#coseKey()]);
    const data = Buffer.concat([this.#authenticatorData(HAS_CREDENTIAL, wrong), credential]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      Buffer.concat([text('fmt'), text(format)]),
      Buffer.concat([text('attStmt'), statement]),
      Buffer.concat([text('authData'), bytes(data)]),
    ]);
    return {
      id: this.id.toString('base64url'),
      client_data: this.#clientData('webauthn.create', options, wrong).toString('base64url'),
      attestation: attestation.toString('base64url'),
      transports: ['internal'],
    };
  }

  /** Answers request options. */
  show(options: Readonly<Record<string, unknown>>, wrong: AnswerOptions = {}) {
    if (this.#options.counts) this.#counter += 1;
    const data = this.#authenticatorData(0, wrong);
    const clientData = this.#clientData('webauthn.get', options, wrong);
    return {
      id: this.id.toString('base64url'),
      client_data: clientData.toString('base64url'),
      authenticator_data: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#privateKey).toString('base64url'),
      user_handle: this.#userHandle,
    };
  }

  #clientData(type: string, options: Readonly<Record<string, unknown>>, { origin }: AnswerOptions): Buffer {
    const challenge = options['challenge'];
    return Buffer.from(JSON.stringify({ type, challenge, origin: origin ?? this.#options.origin, crossOrigin: false }));
  }

  #authenticatorData(more: number, { isVerified = this.#options.isVerified, counter }: AnswerOptions): Buffer {
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.#counter);
    return Buffer.concat([sha256(new URL(this.#options.origin).hostname), Buffer.from([flags]), count]);
  }

  /** Its public key of P-256 in COSE: kind 2, algorithm −7, curve 1, and both coordinates. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const coordinate = (name: number, value: string) =>
      Buffer.concat([Buffer.from([name, 0x58, 32]), Buffer.from(value, 'base64url')]);
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
      coordinate(0x21, x),
      coordinate(0x22, y),
    ]);
  }
}
