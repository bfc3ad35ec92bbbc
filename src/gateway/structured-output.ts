import type { NanoUsd } from '../domain/money.ts';
import type { Principal } from '../domain/principal.ts';
import type { SchemaValidation } from '../structured/schema-validation.ts';
import type { StrategyMemory } from '../structured/strategy-memory.ts';

/**
 * Non-conforming answers that are free for a project. They are bounded by the hour, or a
 * schema that nothing satisfies would run models for nothing.
 */
export interface FreeAnswers {
  /** Takes an answer's cost out of this hour's rest; false if it isn't free any more. */
  take(project: Pick<Principal, 'workspaceId' | 'projectId'>, cost: NanoUsd): Promise<boolean>;
}

/** Parts that only answers by a schema need. */
export interface StructuredOutput {
  readonly validation: Pick<SchemaValidation, 'check' | 'judge'>;
  readonly strategies: StrategyMemory;
  readonly freeAnswers: FreeAnswers;
}
