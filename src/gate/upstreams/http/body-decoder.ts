import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { Transform } from 'node:stream';

// Decodes bodies that an upstream compresses although that was not requested. Uncompressed bodies need no decoder.

/** Receives the decoded bytes in order, then exactly one of `end` and `error`, unless the decoder is destroyed. */
export interface DecodedSink {
  data(chunk: Buffer): void;
  /** The decoder accepts input again after `write` returned false. */
  drain(): void;
  end(): void;
  error(error: Error): void;
}

export interface BodyDecoder {
  /** Returns false to request no more input until `drain`. */
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  /** Frees the decoder; its sink is not called any more. */
  destroy(): void;
}

const ZLIB_METHOD_DEFLATE = 8;

/** `deflate` is zlib framing by the standard, and bare deflate for some servers; the first byte decides. */
function createDeflateDecoder(firstByte: number): Transform {
  return (firstByte & 0x0f) === ZLIB_METHOD_DEFLATE ? createInflate() : createInflateRaw();
}

const FACTORIES: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  deflate: createDeflateDecoder,
  zstd: () => createZstdDecompress(),
};

/** Whether bodies with this content-encoding can be decoded. */
export function isDecodable(encoding: string): boolean {
  return Object.hasOwn(FACTORIES, encoding);
}

function attach(stream: Transform, sink: DecodedSink): Transform {
  stream.on('data', (chunk: Buffer) => sink.data(chunk));
  stream.on('drain', () => sink.drain());
  stream.on('end', () => sink.end());
  stream.on('error', (error: Error) => sink.error(error));
  return stream;
}

/** A decoder for a body of the given content-encoding, which must be decodable. */
export function createBodyDecoder(encoding: string, sink: DecodedSink): BodyDecoder {
  let stream: Transform | null = null;
  let paused = false;
  let destroyed = false;

  return {
    write(chunk) {
      if (chunk.length === 0 || destroyed) return true;
      if (stream === null) {
        const create = FACTORIES[encoding] as (firstByte: number) => Transform;
        stream = attach(create(chunk[0] as number), sink);
        if (paused) stream.pause();
      }
      return stream.write(chunk);
    },
    end() {
      if (destroyed) return;
      if (stream === null) sink.end();
      else stream.end();
    },
    pause() {
      paused = true;
      stream?.pause();
    },
    resume() {
      paused = false;
      stream?.resume();
    },
    destroy() {
      destroyed = true;
      stream?.removeAllListeners();
      // A destroyed zlib stream may still report that it was cut short, and an error without a listener is thrown.
      stream?.on('error', () => {});
      stream?.destroy();
    },
  };
}
