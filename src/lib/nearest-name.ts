// Finds the intended word, for "did you mean".

/** The candidate most like `word`, or null if none is similar enough. */
export function nearestName(word: string, candidates: readonly string[]): string | null {
  const wanted = bare(word);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(wanted, bare(candidate));
    if (edits < least) [nearest, least] = [candidate, edits];
  }
  return nearest;
}

/** Case, hyphens and underscores are what differs between `apiKey`, `api-key` and `api_key`. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '').slice(0, 64);
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function editsBetween(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped && row > 1 && column > 1) edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      current.push(edits);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
