import { parser } from '@prometheus-io/lezer-promql';

/** A metric that a query reads, with the labels that its selector names. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** What a query of Prometheus reads, and by which labels it groups. @throws where it is not one */
export function readQuery(query: string): { readonly selectors: readonly Selector[]; readonly grouping: string[] } {
  const selectors: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  const tree = parser.parse(query);
  tree.iterate({
    enter(node) {
      const text = query.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`not a query, at "${query.slice(node.from)}": ${query}`);
      const within = node.node.parent?.name ?? '';
      if (node.name === 'VectorSelector') selectors.push({ metric: '', labels: [] });
      const selector = selectors.at(-1);
      if (node.name === 'Identifier' && within === 'VectorSelector' && selector) selector.metric = text;
      if (node.name === 'LabelName' && within === 'GroupingLabels') grouping.push(text);
      else if (node.name === 'LabelName' && selector) selector.labels.push(text);
    },
  });
  return { selectors, grouping };
}
