import { Agent, type Dispatcher, request } from 'undici';
import { Places } from '../../lib/places.ts';
import { CiphertextFault } from '../encryption/envelope.ts';
import { KeyEncryptionFault } from '../encryption/key-encryption.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { addressOf } from '../operations/operation.ts';
import { type OperationId, OPERATIONS } from '../operations/operations.ts';
import { type Cell, tokenPlace } from './cell-store.ts';

// Requests to the admin APIs of other cells. Each is bounded in time, bytes and number, follows no redirect, and ends with an
// answer or with the reason why there is none: a cell that is away is nobody's fault here.

/** For what an operator waits for in a list or on a page. */
const ANSWER_MS_MAX = 1_000;
const ANSWER_BYTES_MAX = 1_048_576;
/** Requests in progress. What finds no place is not sent. */
const CALLS = { most: 64, mostPerKey: 16 };
const CONNECTIONS = 4;

/**
 * Why a cell has given no answer. `refused`: it answers, with a refusal of its own. `strange`: what answers is no Faregate.
 * `unreadable`: its token can't be decrypted here.
 */
export type CellFaultKind = 'away' | 'late' | 'busy' | 'refused' | 'strange' | 'too_long' | 'unreadable';

/** A cell without an answer, as a value. The message begins with a small letter, and names neither token nor URL. */
export interface CellFault {
  readonly shard: string;
  readonly kind: CellFaultKind;
  readonly message: string;
  /** The code of its refusal; null if it has not refused. */
  readonly code: string | null;
}

export type CellAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly fault: CellFault };

/** Where a cell is, and an operator's token of it in clear. */
export interface CellTarget {
  readonly shard: string;
  readonly url: string;
  readonly token: string;
}

/** What an operation is given, and the bounds of its answer. */
export interface CellCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly answerMsMax?: number;
  readonly answerBytesMax?: number;
  /** Aborts the call, which ends as `late`. */
  readonly signal?: AbortSignal;
}

/** Calls operations of other cells. */
export class CellClient {
  readonly #keyring: Keyring;
  readonly #agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  readonly #places = new Places(CALLS);

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Calls an operation of a cell that this one knows. @throws DatabaseUnavailable */
  async call(cell: Cell, operation: OperationId, call: CellCall = {}): Promise<CellAnswer> {
    const token = await this.#tokenOf(cell);
    if (typeof token !== 'string') return { ok: false, fault: token };
    return await this.callAt({ ...cell, token }, operation, call);
  }

  /** Calls an operation of a cell that this one may not know yet. */
  async callAt(target: CellTarget, operation: OperationId, call: CellCall = {}): Promise<CellAnswer> {
    const { shard } = target;
    const leave = this.#places.take(shard);
    if (leave === null) return failed(shard, 'busy', 'too many requests to other cells are in progress: try again');
    try {
      return await this.#send(target, operation, call);
    } finally {
      leave();
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #tokenOf({ shard, encryptedToken }: Cell): Promise<string | CellFault> {
    try {
      return (await this.#keyring.decrypt(tokenPlace(shard), encryptedToken)).toString();
    } catch (fault) {
      if (!(fault instanceof KeyEncryptionFault) && !(fault instanceof CiphertextFault)) throw fault;
      return faultOf(shard, 'unreadable', `its token can't be read here: ${fault.message}`);
    }
  }

  async #send({ shard, url, token }: CellTarget, operation: OperationId, call: CellCall): Promise<CellAnswer> {
    const { params = {}, query = {}, body, answerMsMax = ANSWER_MS_MAX, answerBytesMax = ANSWER_BYTES_MAX } = call;
    const { method, path } = addressOf(OPERATIONS[operation].route, params);
    const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
    const deadline = AbortSignal.timeout(answerMsMax);
    const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]);
    try {
      const response = await request(`${url}/admin/v1${path}${search}`, {
        dispatcher: this.#agent,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal,
      });
      const text = await readAtMost(response.body, answerBytesMax);
      if (text === null) return failed(shard, 'too_long', `its answer has more than ${answerBytesMax} bytes`);
      return read(shard, response.statusCode, text);
    } catch (fault) {
      if (signal.aborted) return failed(shard, 'late', `it has not answered within ${answerMsMax} ms`);
      return failed(shard, 'away', `no instance answers there (${reasonOf(fault)})`);
    }
  }
}

async function readAtMost(body: Dispatcher.ResponseData['body'], most: number): Promise<string | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > most) {
      body.destroy();
      return null;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function read(shard: string, status: number, text: string): CellAnswer {
  const body = parsed(text);
  if (body === undefined) return failed(shard, 'strange', `what answers there is no Faregate (HTTP ${status})`);
  if (status >= 200 && status < 300) return { ok: true, body };
  const error = refusalIn(body);
  if (error === null) return failed(shard, 'strange', `what answers there is no Faregate (HTTP ${status})`);
  return { ok: false, fault: { ...faultOf(shard, 'refused', `it refuses: ${error.message}`), code: error.code } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalIn(body: unknown): { readonly code: string; readonly message: string } | null {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null;
  const { code, message } = error;
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : null;
}

/** The system's code, which names no secret; messages of a fault may. */
function reasonOf(fault: unknown): string {
  const code = fault instanceof Error && 'code' in fault ? fault.code : null;
  return typeof code === 'string' ? code : 'no connection';
}

function faultOf(shard: string, kind: CellFaultKind, message: string): CellFault {
  return { shard, kind, message, code: null };
}

function failed(shard: string, kind: CellFaultKind, message: string): CellAnswer {
  return { ok: false, fault: faultOf(shard, kind, message) };
}
