import type { NanoUsd } from '../../../domain/money.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { SchemaValidation } from '../../structured/schema-validation.ts';
import type { StrategyMemory } from '../../structured/strategy-memory.ts';

/**
 * Non-conforming answers that are free for a project. They are bounded per hour; otherwise a schema that nothing
 * satisfies would run models for free.
 */
export interface FreeAnswers {
  /** Takes an answer's cost from this hour's free amount; false if the rest doesn't cover it. */
  take(project: Pick<Principal, 'workspaceId' | 'projectId'>, cost: NanoUsd): Promise<boolean>;
}

/** Parts that only answers by a schema need. */
export interface StructuredOutput {
  readonly validation: Pick<SchemaValidation, 'check' | 'judge'>;
  readonly strategies: StrategyMemory;
  readonly freeAnswers: FreeAnswers;
}
