import type { Config } from '../../config/config.ts';
import { PostgresFreeAnswers } from '../database/free-answers.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Sql } from '../../lib/sql.ts';
import { SchemaValidation } from '../../gate/structured/schema-validation.ts';
import { StrategyMemory } from '../../gate/structured/strategy-memory.ts';
import type { Log } from '../telemetry/log.ts';

/** The parts for answers by a schema. The first request with one starts the threads. */
export function createStructuredOutput(
  { structured }: Pick<Config, 'structured'>,
  { sql, clock, log, closing }: { sql: Sql; clock: Clock; log: Log; closing: AsyncDisposableStack },
) {
  const validation = new SchemaValidation(clock, (where) =>
    log.error(
      { where },
      'the JSON Schema validator failed: the request was refused, and no other is affected. Please report this line.',
    ),
  );
  closing.defer(() => validation.stop());
  const strategies = new StrategyMemory(clock);
  return { validation, strategies, freeAnswers: new PostgresFreeAnswers(sql, structured.freePerHour) };
}
