import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { MessageReader, type PostgresMessage } from './postgres-messages.ts';

// A hop between the program and its database that sees every statement, and that can be cut.

/** A statement as a client sent it. */
export interface SentStatement {
  readonly text: string;
  /** On performance.now()'s scale. */
  readonly atMs: number;
  /** How many answers had to come one after the other before it could be sent, at most. */
  readonly depth: number;
}

export interface PostgresProxy {
  readonly port: number;
  /** The statements so far, oldest first. */
  readonly statements: readonly SentStatement[];
  /** Breaks every connection, and each new one at once, until it is mended. */
  cut(): void;
  /**
   * Swallows all that is sent, either way, and what new connections send, until it is mended. Nobody is told, and the
   * connections of that time stay dead for good.
   */
  swallow(): void;
  /** Swallows what the database answers, on every connection, until it is cut: what took effect is not known. */
  loseAnswers(): void;
  /**
   * Lets the next connection that executes such a statement stand still before its end, with all of its locks, until the
   * hop is mended. Resolves once one does. All others go on.
   */
  haltIn(statement: RegExp): Promise<void>;
  /** Lets each answer of the database come so much later, from now on; a function is asked for each. */
  slow(ms: number | (() => number)): void;
  mend(): void;
  stop(): Promise<void>;
}

/** Starts a hop to the PostgreSQL that listens on this port of 127.0.0.1, or on this Unix socket. The caller stops it. */
export async function startPostgresProxy(target: number | { readonly path: string }): Promise<PostgresProxy> {
  const statements: SentStatement[] = [];
  const sockets = new Set<Socket>();
  let delayMs = (): number => 0;
  let answered = 0;
  let state: 'whole' | 'cut' | 'swallowing' | 'losing answers' = 'whole';
  let halt: { readonly statement: RegExp; readonly done: () => void } | null = null;
  const halted = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    if (state !== 'whole' && state !== 'losing answers') return;
    const hop = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target.path);
    keep(hop);
    let asked = 0;
    join(hop, client, {
      passes: () => state !== 'losing answers' && !halted.has(client),
      delayMs: () => delayMs(),
      passed: () => (answered = Math.max(answered, asked)),
    });
    forward(client, hop, {
      passes: () => !halted.has(client),
      executes: (text) => {
        asked = answered + 1;
        statements.push({ text, atMs: performance.now(), depth: asked });
        if (halt?.statement.test(text) !== true) return;
        halted.add(client);
        halt.done();
        halt = null;
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    cut() {
      state = 'cut';
      breakAll();
    },
    swallow() {
      state = 'swallowing';
      for (const socket of sockets) socket.removeAllListeners('close').pause();
    },
    loseAnswers() {
      state = 'losing answers';
    },
    haltIn: (statement) =>
      new Promise<void>((done) => {
        halt = { statement, done };
      }),
    slow(ms) {
      delayMs = typeof ms === 'number' ? () => ms : ms;
    },
    mend() {
      state = 'whole';
      delayMs = () => 0;
      halt = null;
      for (const socket of halted) socket.destroy();
      halted.clear();
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}

interface Answers {
  readonly passes: () => boolean;
  readonly delayMs: () => number;
  /** Called when an answer reaches the client. */
  readonly passed: () => unknown;
}

/** Passes on the bytes that `passes` lets through, so much later, and their end. */
function join(from: Socket, to: Socket, { passes, delayMs, passed }: Answers): void {
  from.setNoDelay(true);
  from.on('close', () => to.destroy());
  const held: Buffer[] = [];
  const passHeld = (): void => {
    passed();
    to.write(Buffer.concat(held.splice(0)));
  };
  from.on('data', (bytes: Buffer) => {
    if (!passes()) return;
    held.push(bytes);
    // What comes while an answer is held is more of the same answer.
    if (held.length > 1) return;
    const ms = delayMs();
    if (ms === 0) passHeld();
    else setTimeout(passHeld, ms);
  });
}

interface Watch {
  /** Whether the client's messages are passed on now. */
  passes(): boolean;
  /** Hears of each statement when its message is passed on. */
  executes(text: string): void;
}

/** Passes on a client's messages, and their end. */
function forward(client: Socket, hop: Socket, watch: Watch): void {
  const reader = new MessageReader('client');
  const prepared = new Map<string, string>();
  let bound = '';
  const isPassed = ({ type, body }: PostgresMessage): boolean => {
    if (!watch.passes()) return false;
    if (type === 'P') prepared.set(textAt(body, 0), textAt(body, endOfText(body, 0)));
    if (type === 'B') bound = prepared.get(textAt(body, endOfText(body, 0))) ?? '';
    if (type === 'Q') watch.executes(textAt(body, 0));
    if (type === 'E') watch.executes(bound);
    return true;
  };
  client.setNoDelay(true);
  client.on('close', () => hop.destroy());
  client.on('data', (bytes: Buffer) => {
    const messages = reader.push(bytes).filter(isPassed);
    if (messages.length > 0) hop.write(Buffer.concat(messages.map((message) => message.bytes)));
  });
}

function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}

const endOfText = (body: Buffer, start: number): number => body.indexOf(0, start) + 1;
