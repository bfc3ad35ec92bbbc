import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute or so: if one of them began last, it would run on alone. */
const LONG = [
  'test/browser/accessibility',
  'test/chaos/',
  'test/money/killed',
  'test/bench/',
  'test/costs/',
  'test/simulation/',
  'test/operations/start-failures',
  'test/operations/reload',
  'test/operations/workers',
  'test/money/ledger-commands',
  'test/operations/commands',
  'test/readme/',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONG.findIndex((part) => moduleId.includes(part));
  return rank === -1 ? LONG.length : rank;
};

/** Begins with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
