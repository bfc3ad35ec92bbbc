import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/config/file-schema.ts';
import { ROOT } from '../repository/tree.ts';

interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
}

/** Every key that the schema knows with its default, by the path that the document writes it with. */
function keysOf(schema: Schema, path = ''): readonly (readonly [string, string])[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const key = path === '' ? name : `${path}.${name}`;
    const inner = keysOf(value, key);
    // A section is its keys; a list or mapping of things that the file may leave out is told in the text.
    const isSection = inner.length > 0 && value.default !== undefined;
    return isSection ? inner : [[key, defaultOf(value)] as const, ...inner];
  });
  const each = schema.items === undefined ? [] : keysOf(schema.items, `${path}[]`);
  const named =
    typeof schema.additionalProperties === 'object' ? keysOf(schema.additionalProperties, `${path}.NAME`) : [];
  return [...own, ...each, ...named, ...sharedKeys((schema.oneOf ?? []).flatMap((one) => keysOf(one, path)))];
}

/** Keys that several forms of a thing have: a default that isn't the same for all of them is told in the text. */
function sharedKeys(keys: ReturnType<typeof keysOf>): ReturnType<typeof keysOf> {
  return [...Map.groupBy(keys, ([key]) => key)].map(([key, forms]) => {
    const defaults = new Set(forms.map(([, value]) => value));
    const [only = ''] = defaults;
    return [key, defaults.size === 1 ? only : ''];
  });
}

function defaultOf({ default: value }: Schema): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const ROW = /^\| `(?<key>[a-z]\w*(?:\[\]|\.\w+)*)` \| (?:`(?<value>[^`]*)`)? ?\| \S/gm;

test('docs/configuration.md lists every key of the config file with its default, and no other', () => {
  const text = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const documented = [...text.matchAll(ROW)].map(({ groups }) => [groups?.['key'] ?? '', groups?.['value'] ?? '']);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(keysOf(configJsonSchema())));
  expect(documented).toHaveLength(new Set(documented.map(([key]) => key)).size);
});
