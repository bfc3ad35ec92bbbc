// Splits SQL text into statements that can be sent one by one. Engines that distribute a schema refuse several statements
// in one message, and several subcommands in one ALTER TABLE.

/** Matches, at a position, what may hold a separator that separates nothing. */
const OPAQUE = [
  // A string with escapes.
  /[eE]'(?:[^'\\]|\\.|'')*'/sy,
  /'(?:[^']|'')*'/sy,
  /"(?:[^"]|"")*"/sy,
  // A parameter such as $1 has no name that a dollar quote could have.
  /\$(?<tag>[\p{L}_][\p{L}\p{N}_]*)?\$.*?\$\k<tag>\$/suy,
  // An identifier, at whose end an "e" begins no string, and a dollar no quote.
  /[\p{L}_][\p{L}\p{N}_$]*(?!')/suy,
] as const;
const LINE_COMMENT = /--[^\n]*/y;
const ALTER_TABLE = /^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?[\w."]+\s+/i;

/** The statements of a text, in their order, without their ends and without comments between and in them. */
export function statementsOf(sql: string): readonly string[] {
  return split(sql, ';').flatMap(single);
}

/** One statement for each subcommand of an ALTER TABLE. */
function single(statement: string): readonly string[] {
  const [table] = ALTER_TABLE.exec(statement) ?? [];
  if (table === undefined) return [statement];
  return split(statement.slice(table.length), ',').map((subcommand) => table + subcommand);
}

/** The parts between separators that stand outside of parentheses, strings, names and bodies. Empty ones are left out. */
function split(sql: string, separator: ';' | ','): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  const end = (): void => {
    if (part.trim() !== '') parts.push(part.trim());
    part = '';
  };
  for (let at = 0; at < sql.length;) {
    const comment = commentAt(sql, at);
    if (comment > 0) {
      part += ' ';
      at += comment;
      continue;
    }
    const text = opaqueAt(sql, at) ?? sql.slice(at, at + 1);
    at += text.length;
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (text === separator && depth === 0) end();
    else part += text;
  }
  end();
  return parts;
}

function opaqueAt(sql: string, at: number): string | null {
  for (const pattern of OPAQUE) {
    pattern.lastIndex = at;
    const found = pattern.exec(sql);
    if (found !== null) return found[0];
  }
  return null;
}

/** The length of a comment here; 0: none. Comments in `/*` may hold others. */
function commentAt(sql: string, at: number): number {
  LINE_COMMENT.lastIndex = at;
  const line = LINE_COMMENT.exec(sql);
  if (line !== null) return line[0].length;
  if (!sql.startsWith('/*', at)) return 0;
  let depth = 0;
  for (let end = at; end < sql.length; end += 1) {
    if (sql.startsWith('/*', end)) {
      depth += 1;
      end += 1;
    } else if (sql.startsWith('*/', end)) {
      depth -= 1;
      end += 1;
      if (depth === 0) return end + 1 - at;
    }
  }
  return sql.length - at;
}
