import type { Receipt } from '../../../domain/receipt.ts';
import type { EpochFenced, PurseName } from './database.ts';

/** Events for the operator. All layers of the engine report to one object. */
export interface OperatorEvents {
  /** The engine can't go on. */
  failed(fault: unknown): void;
  /** Something went wrong, but the engine continues. */
  warned(message: string, fault: unknown): void;
  /** The database refuses a receipt for good: it is set aside, and nothing is charged. */
  receiptRefused(receipt: Receipt, fault: unknown): void;
  /** The database rejects draws from a purse: its requests get no hold until that is over. */
  purseRefused(purse: PurseName, fault: unknown): void;
  /** The database rejects draws of a project's permits: its requests get none until that is over. */
  projectRefused(projectId: string, fault: unknown): void;
}

/** Events for the program around the engine. */
export interface EngineEvents extends OperatorEvents {
  /** Called once at the start, and again when another server has taken over, which may lack settled receipts. */
  serverBegun(): void;
}

/** Reported by the parts of one epoch. `failed` also accepts `EpochFenced` and `LeaseGone`, and acts on them. */
export interface EpochEvents extends OperatorEvents {
  /** The database reports that the epoch is over: nothing more is spent in it, and its remaining charges are late. */
  fenced(fault: EpochFenced): void;
  /** The database no longer knows what this epoch has leased, so the epoch must be ended. */
  leasesLost(): void;
  /** Another server has taken over, and may lack the last commits. */
  serverChanged(): void;
}
