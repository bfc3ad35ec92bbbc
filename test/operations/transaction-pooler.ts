import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import {
  CANCEL_REQUEST,
  fatalError,
  MessageReader,
  type PostgresMessage,
  postgresMessage,
  SSL_REQUEST,
  stringsOf,
} from '../support/postgres-messages.ts';

// What PgBouncer is in transaction mode, in little: many clients share a few connections, and each transaction gets
// the one that has rested longest. So whatever a client leaves in a session (a SET, a named statement, a lock, a
// temporary table) is gone with its next transaction, and somebody else's is there instead. Like PgBouncer it refuses
// start-up parameters that it would have to keep for each client.

export interface TransactionPooler {
  readonly port: number;
  /** How many transactions it has handed to a connection so far. */
  transactions(): number;
  stop(): Promise<void>;
}

/** Start-up parameters that PgBouncer takes. */
const PARAMETERS = ['user', 'database', 'client_encoding', 'application_name', 'datestyle', 'timezone'];
const PROTOCOL_3 = 196_608;

/** Starts a pooler of so many connections to the PostgreSQL on this port of 127.0.0.1. The caller stops it. */
export async function startTransactionPooler(options: {
  readonly targetPort: number;
  readonly user: string;
  readonly database: string;
  readonly connections: number;
}): Promise<TransactionPooler> {
  const backends = await Promise.all(Array.from({ length: options.connections }, () => openBackend(options)));
  const pool = new BackendPool(backends);
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    clients.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => clients.delete(socket));
    serveClient(socket, pool);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    transactions: () => pool.lent,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of [...clients, ...backends.map((backend) => backend.socket)]) socket.destroy();
      await closed;
    },
  };
}

/** One connection to the server, and who listens to it now. */
interface Backend {
  readonly socket: Socket;
  /** What the server said of itself when the connection began. */
  readonly greeting: Buffer;
  onMessage: (message: PostgresMessage) => void;
}

async function openBackend(options: {
  readonly targetPort: number;
  readonly user: string;
  readonly database: string;
}): Promise<Backend> {
  const socket = connect(options.targetPort, '127.0.0.1');
  socket.setNoDelay(true);
  const names = ['user', options.user, 'database', options.database];
  socket.write(postgresMessage('', PROTOCOL_3, ...names, Buffer.from([0])));
  const reader = new MessageReader('server');
  const greeting: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const backend = {
    socket,
    get greeting() {
      return Buffer.concat(greeting);
    },
    onMessage({ type, bytes, body }: PostgresMessage): void {
      if (type === 'S' || type === 'K') greeting.push(bytes);
      if (type === 'Z') resolve();
      if (type === 'E') reject(new Error(`the server refused the pooler: ${stringsOf(body).join(' ')}`));
    },
  };
  socket.on('data', (bytes: Buffer) => {
    for (const message of reader.push(bytes)) backend.onMessage(message);
  });
  socket.on('error', reject);
  await promise;
  return backend;
}

/** Connections at rest, the one that has rested longest first, and the clients that wait for one. */
class BackendPool {
  readonly #resting: Backend[];
  readonly #waiting: ((backend: Backend) => void)[] = [];
  readonly greeting: Buffer;
  lent = 0;

  constructor(backends: readonly Backend[]) {
    this.#resting = [...backends];
    this.greeting = backends[0]?.greeting ?? Buffer.alloc(0);
  }

  borrow(use: (backend: Backend) => void): void {
    this.lent += 1;
    const backend = this.#resting.shift();
    if (backend === undefined) this.#waiting.push(use);
    else use(backend);
  }

  giveBack(backend: Backend): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#resting.push(backend);
    else next(backend);
  }
}

function serveClient(socket: Socket, pool: BackendPool): void {
  const reader = new MessageReader('client');
  const client = new PooledClient(socket, pool);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => client.leave());
  socket.on('data', (bytes: Buffer) => {
    for (const message of reader.push(bytes)) {
      if (message.type !== '') client.send(message);
      else if (!greet(socket, message, pool)) reader.expectStartup();
    }
  });
}

/** Answers a first message; false where another first message follows. */
function greet(socket: Socket, { body }: PostgresMessage, pool: BackendPool): boolean {
  const code = body.readInt32BE(0);
  if (code === SSL_REQUEST) {
    socket.write('N');
    return false;
  }
  if (code === CANCEL_REQUEST) {
    socket.destroy();
    return true;
  }
  const names = stringsOf(body.subarray(4)).filter((_, index) => index % 2 === 0);
  const foreign = names.find((name) => name !== '' && !PARAMETERS.includes(name.toLowerCase()));
  if (foreign !== undefined) {
    socket.end(fatalError('08P01', `unsupported startup parameter: ${foreign}`));
    return true;
  }
  socket.write(Buffer.concat([postgresMessage('R', 0), pool.greeting, postgresMessage('Z', Buffer.from('I'))]));
  return true;
}

/**
 * A client: *resting* without a connection; *waiting* for one from its first message on, which are kept; *linked*
 * until the server says that no transaction is open and has answered all that was sent.
 */
class PooledClient {
  readonly #socket: Socket;
  readonly #pool: BackendPool;
  #state: 'resting' | 'waiting' | 'linked' = 'resting';
  #backend: Backend | null = null;
  #kept: PostgresMessage[] = [];
  /** Sent messages that the server answers by a ReadyForQuery, and hasn't yet. */
  #unanswered = 0;
  /** The last message sent wants more to follow. */
  #isOpen = false;
  #left = false;

  constructor(socket: Socket, pool: BackendPool) {
    this.#socket = socket;
    this.#pool = pool;
  }

  send(message: PostgresMessage): void {
    if (message.type === 'X') {
      this.#socket.end();
      return;
    }
    if (this.#state === 'linked') {
      this.#forward(message);
      return;
    }
    this.#kept.push(message);
    if (this.#state === 'waiting') return;
    this.#state = 'waiting';
    this.#pool.borrow((backend) => this.#link(backend));
  }

  /** The client is gone. A transaction that it left open is rolled back before anybody else gets its connection. */
  leave(): void {
    this.#left = true;
    if (this.#backend === null) return;
    this.#forwardRaw(this.#isOpen ? postgresMessage('S') : Buffer.alloc(0), this.#isOpen ? 1 : 0);
    this.#forwardRaw(postgresMessage('Q', 'rollback'), 1);
    this.#isOpen = false;
  }

  #link(backend: Backend): void {
    if (this.#left) {
      this.#pool.giveBack(backend);
      return;
    }
    this.#state = 'linked';
    this.#backend = backend;
    backend.onMessage = (answer) => this.#receive(answer);
    for (const message of this.#kept.splice(0)) this.#forward(message);
  }

  #forward({ type, bytes }: PostgresMessage): void {
    const isAnswered = type === 'Q' || type === 'S';
    this.#isOpen = !isAnswered;
    this.#forwardRaw(bytes, isAnswered ? 1 : 0);
  }

  #forwardRaw(bytes: Buffer, answers: number): void {
    this.#unanswered += answers;
    this.#backend?.socket.write(bytes);
  }

  #receive({ type, body, bytes }: PostgresMessage): void {
    if (!this.#left) this.#socket.write(bytes);
    if (type !== 'Z') return;
    this.#unanswered -= 1;
    const backend = this.#backend;
    if (this.#unanswered > 0 || this.#isOpen || body.toString('latin1') !== 'I' || backend === null) return;
    this.#backend = null;
    this.#state = 'resting';
    this.#pool.giveBack(backend);
  }
}
