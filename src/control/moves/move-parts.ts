import type { Clock } from '../../lib/clock.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Sql } from '../../lib/sql.ts';
import type { CellAnswer, CellCall, CellClient } from '../cells/cell-client.ts';
import type { Keyring } from '../encryption/keyring.ts';
import type { OperationId } from '../operations/operations.ts';

export interface MoveWorkParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly cells: Pick<CellClient, 'call'>;
  /** Of this cell. */
  readonly shard: string;
  /** How long a pause goes on while the other cell does not answer. */
  readonly awayMsMax?: number;
  readonly onFault: (fault: unknown) => void;
}

/** A step that can't be made now: it is tried again. */
export class MoveDelayed extends Error {
  override readonly name = 'MoveDelayed';
}

/** The move can't be made: the workspace goes back. */
export class MoveFailed extends Error {
  override readonly name = 'MoveFailed';
}

/** Another process goes on with the move. */
export class MoveLost extends Error {
  override readonly name = 'MoveLost';
}

/** It was cancelled while rows were sent: nothing further is to be sent. */
export class MoveTurned extends Error {
  override readonly name = 'MoveTurned';
}

/** Calls an operation of the cell that a workspace moves to. */
export type CallCell = (operation: OperationId, call: CellCall) => Promise<CellAnswer>;

/** The operations by which a workspace comes to the other cell. */
export type MoveCallName = 'beginArrival' | 'receiveRows' | 'landRows' | 'landArrival' | 'openArrival' | 'dropArrival';

export interface TripParts extends MoveWorkParts {
  /** Calls an operation of the other cell, and returns its answer. @throws MoveDelayed, MoveFailed */
  readonly send: (operation: MoveCallName, body: object, answerMsMax?: number) => Promise<unknown>;
}
