import { join } from 'node:path';
import { pathMultiple } from './path-cost.ts';

// npm run bench:path [-- FOLDER]: the CPU of a request's path, callers and upstream included, as a multiple of that of a bare
// pass-through, or of the program in another folder.

const PAIRS = 150;
const ROOT = join(import.meta.dirname, '..');

const [folder] = process.argv.slice(2);
const other = { root: folder ?? ROOT, isBare: folder === undefined };
const [low = 0, median = 0, high = 0] = await pathMultiple({ root: ROOT, isBare: false }, other, PAIRS);
const [shown, ...quartiles] = [median, low, high].map((multiple) => multiple.toFixed(2));
process.stdout.write(`the path × ${folder ?? 'a bare pass-through'}: ${shown} (${quartiles.join(' … ')})\n`);
