import type { Permit } from '../purses/permits/permit.ts';
import type { UsableSchema } from '../structured/schema-validation.ts';
import type { Admission } from './admit.ts';
import type { Caller } from './caller.ts';
import type { Claim } from './claims/claim.ts';
import type { ContentRecording } from './content-recorder.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { RequestTrace } from './request-trace.ts';

/** An admitted request, with everything that its answer and its settlement need. */
export interface AdmittedRequest {
  readonly gate: GatewayDeps;
  readonly caller: Caller;
  readonly admission: Admission;
  readonly permit: Permit;
  /** Its hold on an Idempotency-Key; null if the caller sent none. */
  readonly claim: Claim | null;
  /** The schema of its answer; null if it has none. */
  readonly schema: UsableSchema | null;
  /** Whether it repeats a request of the same key that had failed within the minute before. */
  readonly isRetry: boolean;
  readonly trace: RequestTrace;
  /** Null: its prompt and answer are not recorded. */
  readonly content: ContentRecording | null;
  /** The arrival time; monotonic milliseconds. */
  readonly startedMs: number;
  /** The deadline of the attempts at another model than the requested one; monotonic milliseconds. */
  readonly untilMs?: number;
}
