import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { EntryPrice } from './map-rates.ts';
import type { ModelEntry } from './model-entries.ts';

// Puts entries into the text of a config file. Everything else stays as it is, byte for byte: the text is cut and
// pasted at the positions that the parser reports.

/** A config file's text with entries in it, and what became of each of them. */
export interface MergedText {
  readonly text: string;
  readonly added: readonly string[];
  readonly updated: readonly string[];
  /** They are in the file as they should be. */
  readonly unchanged: readonly string[];
  /**
   * They are in the file in a form that can't be changed from here: with anchors, all of the file in braces, or sold at a
   * mark-up on other routes.
   */
  readonly untouched: readonly string[];
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const YAML = { version: '1.2', schema: 'core' } as const;

/**
 * Merges entries into a config file, whose text must be YAML. A model that is there gets the entry's price and limits, or if
 * it is sold at a mark-up, the price as the cost of the entry's route; its routes, whatever else is said of it and all
 * comments stay.
 */
export function mergeEntries(text: string, entries: readonly ModelEntry[]): MergedText {
  const document = parseDocument(text, YAML);
  const root = document.contents;
  if (root !== null && (!isMap(root) || root.flow === true)) {
    return { text, added: [], updated: [], unchanged: [], untouched: entries.map(({ id }) => id) };
  }
  const known = isSeq(document.get('models')) ? (document.get('models') as YAMLSeq) : null;
  const edits: Edit[] = [];
  const outcome = {
    added: [] as ModelEntry[],
    updated: [] as string[],
    unchanged: [] as string[],
    untouched: [] as string[],
  };
  for (const entry of entries) {
    const item = known?.items.find((each) => isMap(each) && each.get('id') === entry.id);
    if (item === undefined) outcome.added.push(entry);
    else {
      const edit = updateOf(text, item as YAMLMap, entry);
      if (edit === 'none') outcome.unchanged.push(entry.id);
      else if (edit === 'impossible') outcome.untouched.push(entry.id);
      else {
        edits.push(edit);
        outcome.updated.push(entry.id);
      }
    }
  }
  if (outcome.added.length > 0) edits.push(...additionOf(text, document, known, outcome.added));
  return { ...outcome, added: outcome.added.map(({ id }) => id), text: edited(text, edits) };
}

function edited(text: string, edits: readonly Edit[]): string {
  const backwards = edits.toSorted((left, right) => right.from - left.from);
  return backwards.reduce((all, edit) => all.slice(0, edit.from) + edit.text + all.slice(edit.to), text);
}

/** How the text of one model is changed: it is parsed by itself, and what differs is set. */
function updateOf(text: string, item: YAMLMap, entry: ModelEntry): Edit | 'none' | 'impossible' {
  const [from = 0, to = 0] = item.range ?? [];
  const column = from - lineStart(text, from);
  const own = text.slice(from, to).replaceAll(`\n${' '.repeat(column)}`, '\n');
  const document: Document = parseDocument(own, YAML);
  const model = document.contents;
  if (!isMap(model) || hasAnchors(document)) return 'impossible';
  const before = JSON.stringify(model);
  const [priced, key] = model.has('markup') ? [routeOf(model, entry), 'cost'] : [model, 'price'];
  if (priced === null) return 'impossible';
  const price = priced.get(key);
  if (isMap(price)) setPrice(document, price, entry.price);
  else priced.set(key, document.createNode(entry.price));
  model.set('context_window', entry.context_window);
  if (entry.max_output !== undefined) model.set('max_output', entry.max_output);
  if (JSON.stringify(model) === before) return 'none';
  const changed = document.toString({ lineWidth: 0, flowCollectionPadding: !/\{[^\s}]/.test(own) });
  const ending = own.endsWith('\n') ? '\n' : '';
  return { from, to, text: indented(changed.trimEnd(), column).trimStart() + ending };
}

/** The model's route that is the entry's. */
function routeOf(model: YAMLMap, { routes: [{ provider, model: upstreamModel }] }: ModelEntry): YAMLMap | null {
  const routes = model.get('routes');
  const found = isSeq(routes) ? routes.items : [];
  const own = found.find(
    (each) => isMap(each) && each.get('provider') === provider && each.get('model') === upstreamModel,
  );
  return isMap(own) ? own : null;
}

/** An anchored value is changed for its aliases too, or only for them. */
function hasAnchors(document: Document): boolean {
  let found = false;
  visit(document, (_key, node) => {
    if (isAlias(node) || (isNode(node) && 'anchor' in node && node.anchor !== undefined)) found = true;
  });
  return found;
}

/** Sets only different values, so that comments stay in place. */
function setPrice(document: Document, known: YAMLMap, price: EntryPrice): void {
  const before = known.toJSON() as Record<string, unknown>;
  for (const name of Object.keys(before)) if (!(name in price)) known.delete(name);
  for (const [name, value] of Object.entries(price)) {
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    known.set(name, typeof value === 'string' ? value : document.createNode(value));
  }
}

/** How entries are added: after the last model, or as the first of a list that there is none of yet. */
function additionOf(text: string, document: Document, known: YAMLSeq | null, entries: readonly ModelEntry[]): Edit[] {
  const [from = 0, to = 0] = known?.range ?? [];
  if (known !== null && known.items.length > 0 && known.flow === true) {
    return [{ from: to - 1, to: to - 1, text: entries.map((entry) => `, ${JSON.stringify(entry)}`).join('') }];
  }
  if (known !== null && known.items.length > 0) {
    return [insertion(text, to, listText(entries, from - lineStart(text, from)))];
  }
  const pair = isMap(document.contents)
    ? document.contents.items.find(({ key }: Pair) => isScalar(key) && key.value === 'models')
    : undefined;
  if (pair === undefined) return [insertion(text, text.length, `models:\n${listText(entries, 2)}`)];
  const keyEnd = isScalar(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
  const emptied = known === null ? [] : [{ from, to, text: '' }];
  return [...emptied, insertion(text, lineEnd(text, Math.max(keyEnd, to)), listText(entries, 2))];
}

/** Puts whole lines at a place; if a line is open there, it is ended first. */
function insertion(text: string, at: number, lines: string): Edit {
  const isOpen = at > 0 && text[at - 1] !== '\n';
  return { from: at, to: at, text: (isOpen ? '\n' : '') + lines };
}

function listText(entries: readonly ModelEntry[], column: number): string {
  return indented(stringify(entries, { lineWidth: 0 }), column);
}

function indented(text: string, column: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(column));
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The place after the line's end, or the text's. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
