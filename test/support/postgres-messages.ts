// PostgreSQL's wire, as far as the stand-ins between the program and its database need it: messages in and out of a
// byte stream. A connection begins with one message that has no type.

export interface PostgresMessage {
  /** Its one letter; empty for the first message of a client. */
  readonly type: string;
  readonly body: Buffer;
  /** All of it, as it came. */
  readonly bytes: Buffer;
}

/** The code in place of a protocol version by which a client asks for TLS. */
export const SSL_REQUEST = 80_877_103;

/** The code in place of a protocol version by which a client cancels another connection's statement. */
export const CANCEL_REQUEST = 80_877_102;

/** Cuts a stream into messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  #isFirst: boolean;

  /** `from` a client the first message has no type. */
  constructor(from: 'client' | 'server') {
    this.#isFirst = from === 'client';
  }

  /** The messages that the bytes complete. */
  push(bytes: Buffer): PostgresMessage[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const messages: PostgresMessage[] = [];
    for (let next = this.#take(); next !== null; next = this.#take()) messages.push(next);
    return messages;
  }

  /** The next typed message is preceded by another one without a type: the answer to a request for TLS was no. */
  expectStartup(): void {
    this.#isFirst = true;
  }

  #take(): PostgresMessage | null {
    const typeBytes = this.#isFirst ? 0 : 1;
    if (this.#rest.length < typeBytes + 4) return null;
    const length = typeBytes + this.#rest.readInt32BE(typeBytes);
    if (this.#rest.length < length) return null;
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    const type = bytes.toString('latin1', 0, typeBytes);
    this.#isFirst = false;
    return { type, body: bytes.subarray(typeBytes + 4), bytes };
  }
}

/** A message of this type; strings end in a zero byte, numbers are 32 bits. */
export function postgresMessage(type: string, ...parts: readonly (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map(encoded));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, body]);
}

function encoded(part: string | number | Buffer): Buffer {
  if (typeof part === 'string') return Buffer.from(`${part}\0`);
  if (typeof part !== 'number') return part;
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(part);
  return bytes;
}

/** The strings of a body that holds nothing else, such as a start-up message's after its version. */
export function stringsOf(body: Buffer): string[] {
  return body.toString('utf8').split('\0');
}

/** An error that ends a connection attempt. */
export function fatalError(sqlState: string, text: string): Buffer {
  const fields = [`SFATAL`, `VFATAL`, `C${sqlState}`, `M${text}`];
  return postgresMessage('E', ...fields, Buffer.from([0]));
}
