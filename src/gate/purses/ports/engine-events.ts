import type { Receipt } from '../../../domain/receipt.ts';
import type { EpochFenced, PurseName } from './database.ts';

/** What an operator should know. One object takes it through all layers of the engine. */
export interface OperatorEvents {
  /** The engine can't go on. */
  failed(fault: unknown): void;
  /** Something went wrong, though all goes on. */
  warned(message: string, fault: unknown): void;
  /** The database refuses a receipt for good: it is set aside, and nothing is charged. */
  receiptRefused(receipt: Receipt, fault: unknown): void;
  /** The database refuses to draw from a purse: its requests get no hold until that is over. */
  purseRefused(purse: PurseName, fault: unknown): void;
  /** The database refuses to draw permits for a project: its requests get none until that is over. */
  projectRefused(projectId: string, fault: unknown): void;
}

/** What the engine reports to the program around it. */
export interface EngineEvents extends OperatorEvents {
  /** Called once at the start, and again when another server has taken over, which may lack what others settled. */
  serverBegun(): void;
}

/** What the parts of one epoch report. `failed` takes `EpochFenced` and `LeaseGone` for what they are. */
export interface EpochEvents extends OperatorEvents {
  /** The database says that the epoch is over: nothing more is spent in it, and what is still to be charged is late. */
  fenced(fault: EpochFenced): void;
  /** The database no longer knows what this epoch has leased, so the epoch must be ended. */
  leasesLost(): void;
  /** Another server has taken over, and may lack the last commits of the former one. */
  serverChanged(): void;
}
