import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSinkConfig } from '../../../config/config.ts';
import type { Destination, LineBatch } from './destination.ts';

/** Files that are open at the same time: the one that was used longest ago is closed for another. */
const OPEN_MAX = 64;

interface OpenFile {
  readonly descriptor: number;
  readonly hour: string;
  bytes: number;
}

/**
 * Files of JSON lines, in a directory for each workspace. Each process has files of its own, so that no two write to the same
 * one: a new one each hour, or once it is large enough. Lines count as delivered once they are on the disk. After a failure
 * nothing of the batch is left in the file.
 *
 * It writes synchronously, in its own thread: Node's pool has four threads for files, and the journal's writes wait in it.
 */
export class FileDestination implements Destination {
  readonly #sink: Pick<FileSinkConfig, 'path' | 'rotateBytes'>;
  readonly #process: string;
  readonly #nowMs: () => number;
  /** By workspace, the one that was used longest ago first. */
  readonly #open = new Map<string, OpenFile>();
  #files = 0;

  constructor(sink: Pick<FileSinkConfig, 'path' | 'rotateBytes'>, process: string, nowMs: () => number) {
    this.#sink = sink;
    this.#process = process;
    this.#nowMs = nowMs;
  }

  write({ workspaceId, lines }: LineBatch): void {
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const file = this.#fileFor(workspaceId, text.length);
    try {
      writeWhole(file, text);
      fdatasyncSync(file.descriptor);
      file.bytes += text.length;
    } catch (fault) {
      this.#undo(workspaceId, file);
      throw fault;
    }
  }

  #fileFor(workspaceId: string, bytes: number): OpenFile {
    const hour = new Date(this.#nowMs()).toISOString().slice(0, 13);
    const known = this.#open.get(workspaceId);
    const isLarge = known !== undefined && known.bytes + bytes > this.#sink.rotateBytes;
    if (known !== undefined && known.hour === hour && !isLarge && isInPlace(known)) {
      this.#open.delete(workspaceId);
      this.#open.set(workspaceId, known);
      return known;
    }
    this.#close(workspaceId);
    const [oldest] = this.#open.keys();
    if (this.#open.size >= OPEN_MAX && oldest !== undefined) this.#close(oldest);
    const directory = join(this.#sink.path, workspaceId);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, `${hour}-${this.#process}-${this.#files}.jsonl`);
    const file = { descriptor: openSync(path, 'wx', 0o600), hour, bytes: 0 };
    this.#files++;
    this.#open.set(workspaceId, file);
    return file;
  }

  /** A part of a batch would be repeated with the next attempt. */
  #undo(workspaceId: string, { descriptor, bytes }: OpenFile): void {
    try {
      ftruncateSync(descriptor, bytes);
    } finally {
      this.#close(workspaceId);
    }
  }

  #close(workspaceId: string): void {
    const file = this.#open.get(workspaceId);
    if (file === undefined) return;
    this.#open.delete(workspaceId);
    closeSync(file.descriptor);
  }
}

/** Whether the file still exists. */
function isInPlace({ descriptor }: OpenFile): boolean {
  return fstatSync(descriptor).nlink > 0;
}

/** A full disk may take a part of a write without an error. */
function writeWhole({ descriptor, bytes }: OpenFile, text: Buffer): void {
  for (let at = 0; at < text.length;) at += writeSync(descriptor, text, at, text.length - at, bytes + at);
}
