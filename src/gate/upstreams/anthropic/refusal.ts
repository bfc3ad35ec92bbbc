import { isObject } from '../../openai/json-object.ts';

/** The provider's explanation of a refusal; null if it has none. */
export function refusalOf(stopDetails: unknown): string | null {
  if (!isObject(stopDetails) || stopDetails['type'] !== 'refusal') return null;
  const { explanation } = stopDetails;
  return typeof explanation === 'string' && explanation !== '' ? explanation : null;
}
