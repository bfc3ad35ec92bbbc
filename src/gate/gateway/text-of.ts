import { assert } from '../../lib/assert.ts';

/** The facet of a request that must be one for text: it is streamed, is answered by a schema, or has its tokens counted. */
export function textOf<Facet>({ text }: { readonly text: Facet | null }): Facet {
  assert(text !== null, 'the request is one for text');
  return text;
}
