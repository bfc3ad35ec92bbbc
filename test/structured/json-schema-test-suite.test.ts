import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../src/lib/clock.ts';
import { DIALECTS } from '../../src/gate/structured/dialects.ts';
import { SchemaValidation, type UsableSchema } from '../../src/gate/structured/schema-validation.ts';

// The official JSON-Schema-Test-Suite through the threads that validate. It isn't a part of this repository: it is looked
// for in the directory that JSON_SCHEMA_TEST_SUITE names, else beside the repository. Without it our own cases remain
// (src/gate/structured/*.test.ts).

const SUITE =
  process.env['JSON_SCHEMA_TEST_SUITE'] ??
  fileURLToPath(new URL('../../../shared/json-schema-test-suite', import.meta.url));

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

interface Tally {
  cases: number;
  passed: number;
  /** Groups that refer to what is not in their schema, or to a meta-schema of their own: nothing is ever fetched. */
  readonly remote: string[];
  readonly failed: Set<string>;
}

/** Those drafts that the suite at hand has. */
const DRAFTS = Object.entries({
  'draft2020-12': DIALECTS['2020-12'],
  'draft2019-09': DIALECTS['2019-09'],
  draft7: DIALECTS['draft-07'],
  draft6: DIALECTS['draft-06'],
  draft4: DIALECTS['draft-04'],
}).filter(([draft]) => existsSync(`${SUITE}/tests/${draft}`));

/** The groups that fail: formats are asserted here, as OpenAI's users expect; by 2020-12 itself they only annotate. */
const FAILING: Readonly<Record<string, readonly string[]>> = {
  'draft2020-12': [
    'email',
    'idn-email',
    'regex',
    'ipv4',
    'ipv6',
    'idn-hostname',
    'hostname',
    'date',
    'date-time',
    'time',
    'json-pointer',
    'relative-json-pointer',
    'iri',
    'iri-reference',
    'uri',
    'uri-reference',
    'uri-template',
    'uuid',
    'duration',
  ].map((format) => `format: ${format} format`),
};

/** How many groups are left out because they refer to what is elsewhere; in which files. */
const REMOTE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'draft2020-12': { defs: 1, dynamicRef: 5, ref: 1, refRemote: 15, vocabulary: 2 },
  'draft2019-09': { defs: 1, ref: 1, refRemote: 15, vocabulary: 2 },
  draft7: { definitions: 1, ref: 1, refRemote: 11 },
  draft6: { definitions: 1, ref: 1, refRemote: 11 },
  draft4: { definitions: 1, ref: 1, refRemote: 8 },
};

const validation = new SchemaValidation(new SystemClock(), () => {}, { quickMs: 2_000, slowMs: 2_000 });
afterAll(() => validation.stop());

/** Runs one group and counts what comes of it. */
async function run(group: Group, name: string, dialect: string, tally: Tally): Promise<void> {
  const whole = typeof group.schema === 'object' ? (group.schema as object) : { allOf: [group.schema] };
  const checked = await validation.check('suite', JSON.stringify({ $schema: dialect, ...whole }));
  const isUsable = typeof checked !== 'string' && 'forms' in checked;
  if (typeof checked !== 'string' && 'message' in checked && /nothing is fetched|or 2020-12/.test(checked.message)) {
    tally.remote.push(name);
    return;
  }
  for (const { data, valid } of group.tests) {
    tally.cases++;
    const answer = isUsable ? await conforms(checked, data) : null;
    if (answer === valid) tally.passed++;
    else tally.failed.add(name);
  }
}

/** Whether the text itself conforms; a part that was found in it is another answer. */
async function conforms(schema: UsableSchema, data: unknown): Promise<boolean> {
  const text = JSON.stringify(data);
  const judgement = await validation.judge('suite', schema, text);
  return judgement.conforms && judgement.content === text;
}

function countByFile(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const file = name.split(':')[0] ?? '';
    counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
}

describe.runIf(existsSync(SUITE))('the JSON-Schema-Test-Suite, required parts', () => {
  test.each(DRAFTS)('the JSON-Schema-Test-Suite, required parts: %s', { timeout: 60_000 }, async (draft, dialect) => {
    const tally: Tally = { cases: 0, passed: 0, remote: [], failed: new Set() };
    const directory = `${SUITE}/tests/${draft}`;
    for (const file of readdirSync(directory).filter((each) => each.endsWith('.json'))) {
      const groups = JSON.parse(readFileSync(`${directory}/${file}`, 'utf8')) as readonly Group[];
      for (const group of groups) {
        await run(group, `${file.replace('.json', '')}: ${group.description}`, dialect, tally);
      }
    }
    expect([...tally.failed].toSorted()).toEqual((FAILING[draft] ?? []).toSorted());
    expect(countByFile(tally.remote)).toEqual(REMOTE[draft]);
    expect(tally.cases).toBeGreaterThan(550);
    expect(tally.passed / tally.cases).toBeGreaterThanOrEqual(0.98);
  });
});

/** Formats in which a few cases fail: leap seconds and IRIs in brackets; in the oldest, hosts that only newer ones refuse. */
const FAILING_FORMATS: Readonly<Record<string, readonly string[]>> = {
  draft6: ['hostname'],
  draft4: ['hostname'],
};

describe.runIf(existsSync(SUITE))('the formats of the JSON-Schema-Test-Suite', () => {
  test.each(DRAFTS)('the formats of the JSON-Schema-Test-Suite: %s', { timeout: 60_000 }, async (draft, dialect) => {
    const tally: Tally = { cases: 0, passed: 0, remote: [], failed: new Set() };
    const directory = `${SUITE}/tests/${draft}/optional/format`;
    for (const file of readdirSync(directory)) {
      const groups = JSON.parse(readFileSync(`${directory}/${file}`, 'utf8')) as readonly Group[];
      for (const group of groups) await run(group, file.replace('.json', ''), dialect, tally);
    }
    expect([...tally.failed].toSorted()).toEqual(FAILING_FORMATS[draft] ?? ['iri', 'time']);
    expect(tally.cases).toBeGreaterThan(100);
    expect(tally.passed / tally.cases).toBeGreaterThanOrEqual(0.98);
  });
});

test.runIf(!existsSync(SUITE))('the JSON-Schema-Test-Suite is not here: our own cases stand for it', () => {
  expect(existsSync(SUITE)).toBe(false);
});
