import { pointerSteps } from './strict-json.ts';

/** The most characters of a name that are shown. */
const NAME_LENGTH_MAX = 64;

/**
 * Why a schema is rejected, and where, as a JSON pointer. The message continues a sentence that begins with the path.
 */
export interface SchemaFault {
  readonly pointer: string;
  readonly message: string;
}

/**
 * A fault's position as a path in the request: `response_format.json_schema.schema.properties.name.pattern`. `field`:
 * the path of the schema in the request.
 */
export function schemaParam(pointer: string, field: string): string {
  return pointerSteps(pointer).reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return /^[\w$-]{1,64}$/.test(step)
      ? `${path}.${step}`
      : `${path}[${JSON.stringify(step.slice(0, NAME_LENGTH_MAX))}]`;
  }, field);
}
