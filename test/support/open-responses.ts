import { readFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';

// Open Responses, release 2.4, as JSON schemas.

const STANDARD = JSON.parse(
  readFileSync(new URL('../fixtures/open-responses-2.4.schema.json', import.meta.url), 'utf8'),
) as { readonly events: Readonly<Record<string, { readonly $ref: string }>>; readonly $defs: object };

const RESPONSE = { $ref: '#/$defs/ResponseResource' };

function faultsBy(schema: object, value: unknown): readonly string[] {
  const { errors } = new Validator({ ...schema, $defs: STANDARD.$defs }, '2020-12', false).validate(value);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
}

/** What is wrong with an event by the standard; nothing for those of custom tools, which it doesn't have. */
export function eventFaults(event: Readonly<Record<string, unknown>>): readonly string[] {
  const type = String(event['type']);
  if (JSON.stringify(event).includes('custom_tool_call')) return [];
  const found = STANDARD.events[type];
  if (found === undefined) return [`${type} is no event of the standard`];
  return faultsBy(found, event).map((fault) => `${type} ${fault}`);
}

/** What is wrong with a whole response by the standard. */
export function responseFaults(response: unknown): readonly string[] {
  return faultsBy(RESPONSE, response);
}
