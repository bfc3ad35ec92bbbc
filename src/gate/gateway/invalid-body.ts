import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { BodyFault } from '../openai/body-fault.ts';

/** The refusal of a body with this fault. */
export function invalidBody({ message, param, details }: BodyFault): Refusal {
  return refuse('INVALID_REQUEST', message, { param, ...(details && { details }) });
}
