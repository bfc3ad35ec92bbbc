import type { BodyFault } from '../openai/body-fault.ts';
import type { ParsedRequest } from './read.ts';

/** The name of this chat field in the caller's dialect. */
export function callersName({ request }: Pick<ParsedRequest, 'request'>, field: string): string {
  const { fieldNames } = request.dialect;
  return (Object.hasOwn(fieldNames, field) ? fieldNames[field] : undefined) ?? field;
}

/**
 * The fault of a translated request. A field gets the caller's name. A place within a field has no name there, so the
 * message keeps chat's words and says so.
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
