// What a tired colleague gets wrong in a line of SQL: each lock, guarding call and condition on a line of its own left out, and
// bounds, signs, defaults and orders that say something else.

/** A piece of SQL and what it is replaced by. */
export interface SqlChange {
  readonly at: number;
  readonly former: string;
  readonly replacement: string;
}

/** What may be left out of a function without leaving it in pieces. */
const OMISSIONS: readonly RegExp[] = [
  / *\bfor (?:no key update|key share|update|share)\b(?: of \w+)?(?: skip locked)?/g,
  /\bskip locked\b/g,
  /perform (?:require_live_epoch|bound_transaction|wait_briefly|lock_claims|pg_advisory_xact_lock)\([^;]*\)[^;]*;/g,
  /^ +and (?!.*\bbetween\b)[^\n]*?[^\n,(](?=;$| then\b.*$|$)/gm,
  /(?<!\bbetween [\w. ]+) and (?:not )?[\w.]+(?: is (?:not )?(?:null|true)| (?:=|<>|<=?|>=?|is (?:not )?distinct from) [\w.]+)?(?=[);]|$| and\b| or\b| then\b| for\b)/gm,
  /^ +or [^\n]*?(?=;$| then\b.*$|$)/gm,
  /^ +commit;$/gm,
];

const OPPOSITES: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  least: 'greatest',
  greatest: 'least',
};

/** What is replaced by its opposite: bounds and signs between two values, and bounds of a value. */
const OPPOSED: readonly RegExp[] = [/(?<=\s)(?:<=|>=|<|>)(?=\s)/g, /(?<=\s)[+-](?=\s)/g, /\b(?:least|greatest)(?=\()/g];

const SIGN = /(?<=[(,\s])-(?=[\w(])/g;
const CHOICE = /\b(?:coalesce|least|greatest)\(/g;
const KEY = String.raw`[\w.]+(?:\[\w+\])?(?: desc)?(?: nulls (?:first|last))?`;
const ORDER = new RegExp(String.raw`\border by ${KEY}(?:, ${KEY})*`, 'g');

/** All changes of a statement, from one place on. Each leaves a statement that the database takes. */
export function changesOf(sql: string, start: number): readonly SqlChange[] {
  const text = withoutWords(sql);
  return [
    ...OMISSIONS.flatMap((omission) => found(text, omission).flatMap(omitted)),
    ...OPPOSED.flatMap((place) =>
      found(text, place).map(({ at, former }) => ({ at, former, replacement: OPPOSITES[former] ?? '' })),
    ),
    ...found(text, SIGN).map(({ at, former }) => ({ at, former, replacement: '' })),
    ...found(text, CHOICE).flatMap(({ at }) => choicesAt(text, at)),
    ...found(text, ORDER).flatMap(({ at, former }) => [
      { at, former, replacement: '' },
      { at, former, replacement: reversed(former) },
    ]),
  ]
    .filter(({ at }) => at >= start)
    .map((change) => ({ ...change, former: sql.slice(change.at, change.at + change.former.length) }))
    .map((change) => ({ ...change, replacement: change.replacement.replaceAll(/\0(\d+)-(\d+)\0/g, copiedFrom(sql)) }));
}

function found(text: string, place: RegExp): readonly { readonly at: number; readonly former: string }[] {
  return [...text.matchAll(place)].map(({ index, 0: former }) => ({ at: index, former }));
}

/** Leaves out what was found, without a bracket that ends what began before. Nothing, if what it begins ends later. */
function omitted({ at, former }: { readonly at: number; readonly former: string }): readonly SqlChange[] {
  const surplus = former.split(')').length - former.split('(').length;
  const whole = surplus > 0 && former.endsWith(')'.repeat(surplus)) ? former.slice(0, -surplus) : former;
  return whole.split(')').length === whole.split('(').length ? [{ at, former: whole, replacement: '' }] : [];
}

/** The same text with blanks for comments and for what stands in quotes, so that neither is taken for SQL. */
function withoutWords(sql: string): string {
  return sql.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, (word) =>
    word.startsWith('--') ? ' '.repeat(word.length) : `'${'_'.repeat(word.length - 2)}'`,
  );
}

/** A choice among values, such as `coalesce(a, b)`, by which each alone would be taken. Its type stays what it was. */
function choicesAt(text: string, at: number): readonly SqlChange[] {
  const open = text.indexOf('(', at);
  const ends = [open];
  let depth = 0;
  let end = open;
  do {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth === 1 && text[end] === ',') ends.push(end);
    end += 1;
  } while (depth > 0 && end < text.length);
  ends.push(end - 1);
  const values = ends.slice(1).map((close, index) => `\0${(ends[index] ?? 0) + 1}-${close}\0`);
  return values.map((_, taken) => {
    const cases = values.map((value, index) => `when ${index === taken} then ${value}`).join(' ');
    return { at, former: text.slice(at, end), replacement: `(case ${cases} end)` };
  });
}

/** What a placeholder of `choicesAt` stands for: a part of the statement itself. */
function copiedFrom(sql: string): (placeholder: string, from: string, to: string) => string {
  return (_placeholder, from, to) => sql.slice(Number(from), Number(to)).trim();
}

function reversed(order: string): string {
  const keys = order.slice('order by '.length).split(', ');
  return `order by ${keys.map((key) => (key.includes(' desc') ? key.replace(' desc', '') : key.replace(/^[\w.]+(?:\[\w+\])?/, '$& desc'))).join(', ')}`;
}
