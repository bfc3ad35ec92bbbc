import type { BodyFault } from '../openai/body-fault.ts';
import type { ParsedRequest } from './read.ts';

// The fields of chat by the names that a caller of another API knows.

/** What this field of chat is called in the caller's dialect. */
export function callersName({ request }: Pick<ParsedRequest, 'request'>, field: string): string {
  const { fieldNames } = request.dialect;
  return (Object.hasOwn(fieldNames, field) ? fieldNames[field] : undefined) ?? field;
}

/**
 * The fault of a request that was translated. A field is named as the caller's; of a place within one only the whole has
 * a name there, so the words of chat stay, and the message says that they are.
 */
export function inCallersWords(parsed: ParsedRequest, fault: BodyFault): BodyFault {
  const { message, param } = fault;
  const [field = ''] = param?.split(/[.[]/, 1) ?? [];
  const name = callersName(parsed, field);
  if (name === field) return fault;
  if (param !== field)
    return { ...fault, message: `'${name}', as this model's provider is sent it: ${message}`, param: name };
  return { ...fault, message: message.replaceAll(`'${field}'`, `'${name}'`), param: name };
}
