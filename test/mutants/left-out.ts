import { createHash } from 'node:crypto';
import { relative } from 'node:path';

// A plugin of Stryker's: what is not changed.
// - Assertions: they say what cannot be otherwise, so that no test can see one fail, or read its text.
// - All but a share of a room's functions, chosen at random, so that a room whose tests need a database is measured within minutes.
//   `MUTATED_SHARE` is the share in percent, `MUTATED_SEED` chooses another one. A seed chooses the same wherever the tree lies.

/** What it reads of Babel's nodes. */
interface Node {
  readonly type: string;
  readonly start?: number | null;
  /** Of a statement that is an expression. */
  readonly expression?: Node | boolean;
  /** Of a call. */
  readonly callee?: { readonly type: string; readonly name?: string };
}

/** What it reads of Babel's path to a node. */
interface NodePath {
  readonly node: Node;
  readonly parent: { readonly type: string } | null;
  readonly hub?: { readonly file?: { readonly opts?: { readonly filename?: string } } };
}

const share = Number(process.env.MUTATED_SHARE ?? '100');
const seed = process.env.MUTATED_SEED ?? '1';

/** A class is chosen by its members, everything else by the statement at the top of its file. */
const CHOSEN_BELOW = new Set(['Program', 'ExportNamedDeclaration', 'ClassBody']);
const OPENED = new Set(['ClassDeclaration', 'ExportNamedDeclaration']);

function isAssertion({ type, expression, callee }: Node): boolean {
  if (type === 'ExpressionStatement' && typeof expression === 'object') return isAssertion(expression);
  return type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'assert';
}

function isNotChosen({ node, parent, hub }: NodePath): boolean {
  if (parent === null || !CHOSEN_BELOW.has(parent.type) || OPENED.has(node.type)) return false;
  const file = relative(process.cwd(), hub?.file?.opts?.filename ?? '');
  const place = `${seed}:${file}:${node.start ?? 0}`;
  return createHash('sha256').update(place).digest().readUInt16BE() % 100 >= share;
}

/** Why a place is not changed; undefined if it is. */
function whyLeftOut(path: NodePath): string | undefined {
  if (isAssertion(path.node)) return 'an assertion';
  return isNotChosen(path) ? 'not chosen' : undefined;
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'left-out', value: { shouldIgnore: whyLeftOut } }];
