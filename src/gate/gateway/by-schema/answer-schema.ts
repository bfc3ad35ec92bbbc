import type { Principal } from '../../../domain/principal.ts';
import { type Refusal, refuse } from '../../../domain/refusals.ts';
import { andThen, type MaybeAsync } from '../../../lib/maybe-async.ts';
import { SCHEMA_BYTES_MAX } from '../../structured/schema-check.ts';
import { schemaParam } from '../../structured/schema-fault.ts';
import type { SchemaCheck, UsableSchema } from '../../structured/schema-validation.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { ParsedRequest } from '../read.ts';

const RETRY_MS = 1_000;

/**
 * The schema that the answer must conform to, checked before anything is spent; null if the caller gave none.
 * Synchronous if there is none or its check is cached.
 */
export function findSchema(
  gate: GatewayDeps,
  principal: Principal,
  parsed: ParsedRequest,
): MaybeAsync<UsableSchema | Refusal | null> {
  const { body, text: facet } = parsed.request;
  const schemaSpan = facet?.schemaSpan ?? null;
  if (schemaSpan === null) return null;
  const { schemaStart, schemaEnd, param } = schemaSpan;
  if (schemaEnd - schemaStart > SCHEMA_BYTES_MAX) {
    return schemaOrRefusal({ pointer: '', message: `is larger than ${SCHEMA_BYTES_MAX} bytes` }, param);
  }
  const text = body.toString('utf8', schemaStart, schemaEnd);
  const checked = gate.structured.validation.check(principal.workspaceId, text);
  return andThen(checked, (check) => schemaOrRefusal(check, param));
}

/** `field`: the path of the schema in the body. */
function schemaOrRefusal(check: SchemaCheck, field: string): UsableSchema | Refusal {
  if (check === 'overloaded') {
    return refuse('SERVICE_UNAVAILABLE', 'Too many schemas are being checked. Try again in a moment.', {
      retryAfterMs: RETRY_MS,
    });
  }
  if (check === 'fault') {
    return refuse('INTERNAL_ERROR', 'The schema could not be compiled, because of a bug of the gateway: see its log.', {
      param: field,
      shouldRetry: false,
    });
  }
  if (!('pointer' in check)) return check;
  const param = schemaParam(check.pointer, field);
  return refuse('INVALID_REQUEST', `'${param}' ${check.message}.`, { param });
}
