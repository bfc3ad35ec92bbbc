import type { Socket } from 'node:net';

interface State {
  running: number;
  idleSinceMs: number;
  /** Bytes read when the connection became idle: further bytes begin a request. */
  bytesWhenIdle: number;
}

/** The open connections of a server, and since when each has been idle. */
export class Connections {
  readonly #open = new Map<Socket, State>();

  get size(): number {
    return this.#open.size;
  }

  opened(socket: Socket): void {
    this.#open.set(socket, { running: 0, idleSinceMs: performance.now(), bytesWhenIdle: 0 });
    socket.once('close', () => this.#open.delete(socket));
  }

  began(socket: Socket): void {
    const state = this.#open.get(socket);
    if (state !== undefined) state.running += 1;
  }

  ended(socket: Socket): void {
    const state = this.#open.get(socket);
    if (state === undefined) return;
    state.running -= 1;
    state.idleSinceMs = performance.now();
    state.bytesWhenIdle = socket.bytesRead;
  }

  /** Closes the connections that have been idle since that time of `performance.now()`. */
  closeIdleSince(since: number): void {
    for (const [socket, { running, idleSinceMs, bytesWhenIdle }] of this.#open) {
      if (running === 0 && idleSinceMs <= since && socket.bytesRead === bytesWhenIdle) socket.destroy();
    }
  }
}
