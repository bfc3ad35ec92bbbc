import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { receiptWith } from '../../../test/support/receipts.ts';
import { receiptColumn, type ReceiptField } from '../../domain/receipt-field.ts';
import { EXTRA_FIELDS, fieldsIn, RECEIPT_FIELDS } from '../../domain/receipt.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import { schemaDirectory } from './schema-files.ts';
import { settleArguments } from './settle-arguments.ts';

// The statements name columns and places themselves, so that PostgreSQL plans them once. They are compared with the table.

/** Splits SQL at commas that are in no brackets. */
function parts(sql: string): readonly string[] {
  const found = [''];
  let depth = 0;
  for (const character of sql) {
    if ('(['.includes(character)) depth += 1;
    if (')]'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) found.push('');
    else found[found.length - 1] += character;
  }
  return found.map((part) => part.trim());
}

/** The columns that a function inserts into receipts, with the expression of each. */
async function inserted(name: string, values: RegExp): Promise<Readonly<Record<string, string>>> {
  const sql = (await readFile(join(schemaDirectory, 'functions', `${name}.sql`), 'utf8')).replaceAll(/\s+/g, ' ');
  const [, columns = '', expressions = ''] =
    new RegExp(`insert into receipts \\(([^)]*)\\) ${values.source}`).exec(sql) ?? [];
  const found = parts(expressions);
  return Object.fromEntries(parts(columns).map((column, index) => [column, found[index] ?? '']));
}

/** How settle_receipts reads a number of this kind. */
function numberRead(kind: ReceiptField['kind'], place: string): string {
  if (kind === 'flag') return `${place} = 1`;
  if (kind === 'time') return `to_timestamp(${place} / 1e6::double precision)`;
  return kind.startsWith('optional_') ? `nullif(${place}, -1)` : place;
}

/** How settle_receipts reads the parameter's numbers, the context's number first, the last attempt's duration last. */
function numbersRead(): Readonly<Record<string, string>> {
  let count = 1;
  const place = (): string => `p_numbers[i][${(count += 1)}]`;
  const read = fieldsIn('numbers').flatMap((name) => {
    const field: ReceiptField = RECEIPT_FIELDS[name];
    if (field.kind === 'usage') return TOKEN_CLASSES.map((each) => [`${each}_tokens`, place()] as const);
    return [[receiptColumn(field), numberRead(field.kind, place())] as const];
  });
  return Object.fromEntries([...read, ['attempt_ms', numberRead('optional_ms', place())]]);
}

function extraRead(from: string): Readonly<Record<string, string>> {
  const casts: Partial<Record<ReceiptField['kind'], string>> = { words: '::text[]', sign: '::boolean' };
  const read = Object.values<ReceiptField>(EXTRA_FIELDS).map((field) => {
    const { kind, wire } = field;
    const text = kind === 'uses' ? `${from} -> '${wire}'` : `${from} ->> '${wire}'`;
    return [receiptColumn(field), casts[kind] === undefined ? text : `(${text})${casts[kind]}`];
  });
  return Object.fromEntries(read) as Record<string, string>;
}

test('settle_receipts reads each field at the place where the table of fields has it', async () => {
  const contexts = (['context_ids', 'context_numbers', 'context_texts'] as const).flatMap((parameter) =>
    fieldsIn(parameter).map((name, index) => [
      receiptColumn(RECEIPT_FIELDS[name]),
      `p_${parameter}[context][${index + 1}]`,
    ]),
  );
  const texts = ['usage_certainty', 'provider', 'upstream_model'].map((column, index) => [
    column,
    `p_context_texts[context][${fieldsIn('context_texts').length + index + 1}]`,
  ]);
  const single = (['requests', 'charges', 'attempts', 'client_requests'] as const).flatMap((parameter) =>
    fieldsIn(parameter).map((name) => [receiptColumn(RECEIPT_FIELDS[name]), `p_${parameter}[i]`]),
  );
  expect(await inserted('settle_receipts', /select (.*) from \( --/)).toEqual({
    epoch_id: 'p_epoch',
    // Behind the numbers of the table, if a context has some.
    ...Object.fromEntries(
      ['member', 'end_user', 'session'].map((of, index) => [
        `${of}_purse_id`,
        `p_context_numbers[context][${fieldsIn('context_numbers').length + 1 + index}]`,
      ]),
    ),
    ...Object.fromEntries([...contexts, ...texts, ...single]),
    ...numbersRead(),
    ...extraRead('extras'),
  });
});

test.each([...fieldsIn('context_numbers'), 'memberPurseId' as const, ...fieldsIn('context_texts'), 'keyId' as const])(
  'receipts whose %s differs have contexts of their own, next to each other or not',
  (name) => {
    const one = receiptWith();
    const other = { ...one, [name]: typeof one[name] === 'string' ? 'other' : 99n };
    const rows = settleArguments([one, other, one, other])[7];
    expect(Array.from(rows?.matchAll(/[{,]\{(\d+),/g) ?? [], ([, context]) => context)).toEqual(['1', '2', '1', '2']);
  },
);

test('settle_late_receipts fills the columns that settle_receipts fills, and reads extras like it', async () => {
  const late = await inserted('settle_late_receipts', /values \((.*)\); end loop/);
  const settled = await inserted('settle_receipts', /select (.*) from \( --/);
  expect(Object.keys(late)).toEqual([...Object.keys(settled), 'late', 'superseded_by'].toSorted(inOrderOf(late)));
  expect(late).toMatchObject(extraRead('r.extras'));
});

function inOrderOf(columns: object): (one: string, other: string) => number {
  const names = Object.keys(columns);
  return (one, other) => names.indexOf(one) - names.indexOf(other);
}
