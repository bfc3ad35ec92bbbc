import type { ManualPage } from './page-layout.ts';

/** A section as the search reads it: address, title of the page, heading, the beginning of its text, and its words. */
type Entry = readonly [address: string, title: string, heading: string, excerpt: string, words: string];

const EXCERPT_CHARACTERS = 140;

function entriesOf({ address, title, sections }: ManualPage): readonly Entry[] {
  return sections.map(({ anchor, heading, depth, text }) => {
    const words = new Set(`${heading} ${text}`.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu));
    const target = depth === 1 ? address : `${address}#${anchor}`;
    // In the order of letters, sections have the same words beside each other, which compresses by a twelfth more.
    return [target, title, heading, text.slice(0, EXCERPT_CHARACTERS), [...words].toSorted().join(' ')];
  });
}

/** The script that has all sections of the pages; console/src/manual/search.ts loads it once somebody searches. */
export function searchIndex(pages: readonly ManualPage[]): string {
  return `export default ${JSON.stringify(pages.flatMap(entriesOf))};\n`;
}
