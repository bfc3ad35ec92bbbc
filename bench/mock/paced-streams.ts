import type { Socket } from 'node:net';
import { CHUNK_EVERY_MS, STREAM_CHUNKS, type StreamBytes } from './answer-bytes.ts';

interface Running {
  readonly socket: Socket;
  readonly bytes: StreamBytes;
  left: number;
}

/** Streams that get a chunk every 20 ms, all driven by one timer: each has one of 20 slots, a millisecond apart. */
export class PacedStreams {
  readonly #slots: Set<Running>[] = Array.from({ length: CHUNK_EVERY_MS }, () => new Set<Running>());
  readonly #onChunk: () => void;
  #slot = Math.floor(performance.now());

  constructor(onChunk: () => void) {
    this.#onChunk = onChunk;
    setInterval(() => this.#tick(), 1);
  }

  /** Sends the head and the first chunk now, the others in time. */
  begin(socket: Socket, bytes: StreamBytes): void {
    socket.write(bytes.head);
    this.#onChunk();
    const slot = this.#slots[this.#slot % CHUNK_EVERY_MS];
    slot?.add({ socket, bytes, left: STREAM_CHUNKS - 1 });
  }

  #tick(): void {
    const now = Math.floor(performance.now());
    for (; this.#slot < now; this.#slot += 1) {
      const slot = this.#slots[(this.#slot + 1) % CHUNK_EVERY_MS];
      if (slot !== undefined) this.#send(slot);
    }
  }

  #send(slot: Set<Running>): void {
    for (const stream of slot) {
      if (stream.socket.destroyed) {
        slot.delete(stream);
      } else if (stream.left === 0) {
        slot.delete(stream);
        stream.socket.write(stream.bytes.end);
      } else {
        stream.left -= 1;
        stream.socket.write(stream.bytes.chunk);
        this.#onChunk();
      }
    }
  }
}
