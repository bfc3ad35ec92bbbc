import type { NanoUsd } from '../domain/money.ts';
import type { Principal } from '../domain/principal.ts';
import type { SchemaValidation } from '../structured/schema-validation.ts';
import type { StrategyMemory } from '../structured/strategy-memory.ts';

/**
 * What a project may have of answers that conform to no schema without paying for them. It is bounded by the hour, or a
 * schema that nothing satisfies would run models for nothing.
 */
export interface FreeAnswers {
  /** Takes an answer's cost out of what is left of this hour; false where it isn't free any more. */
  take(project: Pick<Principal, 'workspaceId' | 'projectId'>, cost: NanoUsd): Promise<boolean>;
}

/** What answers that must conform to a schema need beyond the others. */
export interface StructuredOutput {
  readonly validation: Pick<SchemaValidation, 'check' | 'judge'>;
  readonly strategies: StrategyMemory;
  readonly freeAnswers: FreeAnswers;
}
