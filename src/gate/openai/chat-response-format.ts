import { fieldFault, type BodyFault } from './body-fault.ts';
import { JSON_SCHEMA_MEMBERS, RESPONSE_FORMAT_MEMBERS } from './chat-members.ts';
import type { JsonMember } from './json-edit.ts';
import { readMembers, scanOf } from './json-members.ts';
import type { JsonScan } from './json-scan.ts';
import { MemberReader } from './known-members.ts';
import type { UnknownFields } from './unknown-fields.ts';

// The form that a caller requests for the answer. The gate itself guarantees a JSON schema, so the schema's position
// in the body is recorded; all other forms are up to the upstream.

/** A request for an answer by a JSON schema. */
export interface SchemaFormat {
  /** The caller's name for it. */
  readonly name: string;
  /** Whether the caller asked for OpenAI's strict mode. */
  readonly strict: boolean;
  /** The schema's span in the body. */
  readonly schemaStart: number;
  readonly schemaEnd: number;
}

const FIELD = 'response_format';
const NESTED = `${FIELD}.json_schema`;
const NAME = /^[\w-]{1,64}$/;

/** More than any name or flag, with any escapes. */
const MAX_VALUE_BYTES = 512;

const FORMAT = new MemberReader(RESPONSE_FORMAT_MEMBERS);
const SCHEMA = new MemberReader(JSON_SCHEMA_MEMBERS);

/** The largest format, which is read more than once: more than any accepted schema. */
const FORMAT_BYTES_MAX = 288 * 1_024;

/** Reads the value of `response_format`; null if it requests no schema. */
export function readResponseFormat(scan: JsonScan, unknown: UnknownFields): SchemaFormat | BodyFault | null {
  if (scan.kind() !== 'object') {
    scan.skip();
    return null;
  }
  if (scan.exceeds(FORMAT_BYTES_MAX)) {
    return fieldFault(FIELD, `'${FIELD}' must not be larger than ${FORMAT_BYTES_MAX} bytes.`);
  }
  const members = readMembers(scan, FIELD, FORMAT, unknown);
  if (scan.fault !== null) return null;
  if ('message' in members) return members;
  const type = members.get('type');
  if (type === undefined || parsed(scan, type) !== 'json_schema') return null;
  const described = members.get('json_schema');
  if (described === undefined) return fieldFault(NESTED, `'${NESTED}' is missing: give the schema and its name.`);
  return readDescribed(scan, described, unknown);
}

function readDescribed(scan: JsonScan, described: JsonMember, unknown: UnknownFields): SchemaFormat | BodyFault {
  const members = readMembers(scanOf(scan, described), NESTED, SCHEMA, unknown);
  if ('message' in members) return members;
  const [name, schema, strict] = [members.get('name'), members.get('schema'), members.get('strict')];
  const called = name === undefined ? null : parsed(scan, name);
  if (typeof called !== 'string' || !NAME.test(called)) {
    return fieldFault(`${NESTED}.name`, `'${NESTED}.name' must be 1 to 64 letters, digits, underscores or dashes.`);
  }
  if (schema === undefined || scanOf(scan, schema).kind() !== 'object') {
    return fieldFault(`${NESTED}.schema`, `'${NESTED}.schema' must be a JSON schema that is an object.`);
  }
  const asked = strict === undefined ? null : parsed(scan, strict);
  if (asked !== null && typeof asked !== 'boolean') {
    return fieldFault(`${NESTED}.strict`, `'${NESTED}.strict' must be true or false.`);
  }
  const { valueStart: schemaStart, valueEnd: schemaEnd } = schema;
  return { name: called, strict: asked === true, schemaStart, schemaEnd };
}

/** The value of a member that is short if it is right; undefined if it is long. */
function parsed({ bytes }: JsonScan, { valueStart, valueEnd }: JsonMember): unknown {
  if (valueEnd - valueStart > MAX_VALUE_BYTES) return undefined;
  return JSON.parse(bytes.toString('utf8', valueStart, valueEnd));
}
