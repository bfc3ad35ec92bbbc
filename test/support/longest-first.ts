import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take a minute or half of one, the longest first: if one of them began last, it would run on alone. All files of a
 * project follow each other: a worker ends, and its database and browser with it, when the next file is another project's.
 */
const LONG = [
  'test/console/pressed',
  'test/browser/accessibility',
  'test/browser/',
  'test/chaos/',
  'test/money/killed',
  'test/bench/',
  'test/costs/',
  'test/simulation/',
  'test/operations/start-failures',
  'test/operations/reload',
  'test/operations/workers',
  'test/readme/',
  'test/operations/',
  'test/outages/',
  'test/package/',
  'test/structured/',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONG.findIndex((part) => moduleId.includes(part));
  return rank === -1 ? LONG.length : rank;
};

/** Begins with the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byRank = Map.groupBy(files, rankOf);
    const ranks = [...byRank.keys()].toSorted((one, other) => one - other);
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's method of that name, which leaves its argument as it is
    const sorted = await Promise.all(ranks.map((rank) => super.sort(byRank.get(rank) ?? [])));
    return sorted.flat();
  }
}
