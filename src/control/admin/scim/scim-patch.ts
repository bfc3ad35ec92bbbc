import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { type Attributes, attributesOf, listOf, objectOf } from './scim-attributes.ts';
import { type AttributePath, readPath } from './scim-filter.ts';
import { scimRefusal } from './scim-refusals.ts';

// The operations of a PATCH (RFC 7644, 3.5.2), as directories send them: Entra ID writes their names in any case, Okta leaves out the
// path and sends an object.

const OPERATIONS_MAX = 1_000;

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: AttributePath;
  readonly value: unknown;
}

/** The operations of a body. */
export function readOperations(attributes: Attributes): readonly PatchOperation[] | Refusal {
  const listed = listOf(attributes.get('operations'), 'Operations');
  if (isRefusal(listed)) return listed;
  if (listed.length > OPERATIONS_MAX) {
    return scimRefusal('invalidValue', `A request has ${OPERATIONS_MAX} operations at most.`);
  }
  const operations: PatchOperation[] = [];
  for (const each of listed) {
    const operation = readOperation(each);
    if (isRefusal(operation)) return operation;
    operations.push(...operation);
  }
  return operations;
}

/** An operation without a path becomes one for each attribute. */
function readOperation(given: unknown): readonly PatchOperation[] | Refusal {
  const attributes = objectOf(given, 'An operation');
  if (isRefusal(attributes)) return attributes;
  const op = opOf(attributes.get('op'));
  if (isRefusal(op)) return op;
  const value = attributes.get('value');
  const text = attributes.get('path');
  if (text !== undefined && text !== null && text !== '') {
    if (typeof text !== 'string') return scimRefusal('invalidPath', '"path" must be a text.');
    const path = readPath(text);
    return isRefusal(path) ? path : [{ op, path, value }];
  }
  if (op === 'remove') return scimRefusal('noTarget', 'A "remove" needs a path.');
  const values = attributesOf(value);
  return values === null
    ? scimRefusal('invalidValue', 'An operation without a path needs an object as its value.')
    : ofAttributes(op, values);
}

function opOf(value: unknown): PatchOperation['op'] | Refusal {
  const op = typeof value === 'string' ? value.toLowerCase() : '';
  if (op === 'add' || op === 'replace' || op === 'remove') return op;
  return scimRefusal('invalidSyntax', '"op" must be add, replace or remove.');
}

/** The names of attributes may be paths, such as `name.givenName`. One that is none names nothing known here. */
function ofAttributes(op: PatchOperation['op'], values: Attributes): readonly PatchOperation[] {
  return [...values].flatMap(([name, value]) => {
    const path = readPath(name);
    return isRefusal(path) ? [] : [{ op, path, value }];
  });
}
