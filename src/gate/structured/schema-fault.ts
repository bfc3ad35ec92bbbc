import { pointerSteps } from './strict-json.ts';

/** The most characters of a name that are shown. */
const NAME_LENGTH_MAX = 64;

/** Why a schema isn't taken, and where in it; a JSON pointer. The message ends the sentence that the path begins. */
export interface SchemaFault {
  readonly pointer: string;
  readonly message: string;
}

/**
 * A fault's position as callers write it: `response_format.json_schema.schema.properties.name.pattern`. `field`: where in
 * a request the schema stands.
 */
export function schemaParam(pointer: string, field: string): string {
  return pointerSteps(pointer).reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return /^[\w$-]{1,64}$/.test(step)
      ? `${path}.${step}`
      : `${path}[${JSON.stringify(step.slice(0, NAME_LENGTH_MAX))}]`;
  }, field);
}
