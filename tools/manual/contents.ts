// The contents of the manual: the groups and links of the README's last section, so that each document is named once, there.

export interface ContentsGroup {
  readonly heading: string;
  /** Paths of documents, from the root. */
  readonly paths: readonly string[];
}

/** The documents that a reader is led to, in order; those that the README does not name are a last group. */
export function contentsOf(readme: string, documents: readonly string[]): readonly ContentsGroup[] {
  const section = readme.slice(readme.lastIndexOf('\n## '));
  const groups = section
    .split(/^### /m)
    .slice(1)
    .map((text) => ({
      heading: text.split('\n', 1)[0] ?? '',
      paths: [...text.matchAll(/^- \[[^\]]*\]\(([^)]+)\)/gm)]
        .map(([, path = '']) => path)
        .filter((path) => documents.includes(path)),
    }));
  const named = new Set(groups.flatMap(({ paths }) => paths));
  const rest = documents.filter((path) => !named.has(path) && !path.startsWith('docs/decisions/'));
  return rest.length === 0 ? groups : [...groups, { heading: 'More', paths: rest }];
}
