import fc from 'fast-check';
import { expect, test } from 'vitest';
import { standingOfBalance, standingOfShare } from './crossings.ts';
import type { AlertRule } from './alert-rules.ts';
import { dailyBurn, type SpendingMark, withMark } from './daily-burn.ts';
import { type Finding, turnsOf } from './open-alerts.ts';
import { balanceFindings } from './watch-balances.ts';
import type { NextExpiry, WatchedWorkspace } from './watched-workspaces.ts';
import { leastPercent, type LimitedSubject, shareFindings } from './watch-shares.ts';

const DAY_MS = 86_400_000;

test.each([
  [0n, 'crossed'],
  [99n, 'crossed'],
  [100n, 'between'],
  [109n, 'between'],
  [110n, 'clear'],
  [-5n, 'crossed'],
] as const)('a balance of %s against a threshold of 100 is %s', (balance, standing) => {
  expect(standingOfBalance(balance, 100n)).toBe(standing);
});

test.each([
  [80n, 80n, 'crossed'],
  [79n, 80n, 'between'],
  [75n, 80n, 'between'],
  [74n, 80n, 'clear'],
  [99n, 100n, 'crossed'],
  [98n, 100n, 'between'],
  [94n, 100n, 'between'],
  [93n, 100n, 'clear'],
  [10n, 10n, 'crossed'],
  [9n, 10n, 'between'],
  [5n, 10n, 'between'],
  [4n, 10n, 'clear'],
  [4n, 4n, 'crossed'],
  [3n, 4n, 'between'],
  [2n, 4n, 'between'],
  [1n, 4n, 'clear'],
  [98n, 98n, 'crossed'],
  [97n, 98n, 'between'],
  [1n, 1n, 'crossed'],
  [0n, 1n, 'clear'],
] as const)('a share of %s used of 100 against %s percent is %s', (used, percent, standing) => {
  expect(standingOfShare(used, 100n, percent)).toBe(standing);
});

test('a value is always crossed on one side of its threshold and clear far enough on the other', () => {
  const amount = fc.bigInt({ min: 1n, max: 9_000_000_000_000_000_000n });
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 1n, max: 100n }), (limit, percent) => {
      expect(standingOfBalance(limit - 1n, limit)).toBe('crossed');
      expect(standingOfBalance(limit * 2n, limit)).toBe('clear');
      expect(standingOfShare(limit, limit, percent)).toBe('crossed');
      expect(standingOfShare(0n, limit, percent)).toBe('clear');
    }),
  );
});

test('nothing is said of the burn until a day is known', () => {
  expect(dailyBurn([], { atMs: 0, spent: 5n })).toBeNull();
  expect(dailyBurn([{ atMs: 0, spent: 0n }], { atMs: DAY_MS - 1, spent: 5n })).toBeNull();
  expect(dailyBurn([{ atMs: 0, spent: 0n }], { atMs: DAY_MS, spent: 5n })).toBe(5n);
});

test('the burn is that of the last week, however long the watch has been looking and however often', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 40 }),
      fc.integer({ min: 1, max: 50 }),
      fc.bigInt({ min: 0n, max: 1_000n }),
      (days, looksPerDay, perDay) => {
        let marks: readonly SpendingMark[] = [];
        let now: SpendingMark = { atMs: 0, spent: 0n };
        for (let look = 0; look <= days * looksPerDay; look++) {
          const atMs = Math.round((look * DAY_MS) / looksPerDay);
          // Much in the first day, which the last week has nothing of.
          const spent = atMs === 0 ? 0n : 1_000_000n + (BigInt(atMs) * perDay) / BigInt(DAY_MS);
          now = { atMs, spent };
          marks = withMark(marks, now);
        }
        expect(marks.length).toBeLessThanOrEqual(10);
        const burn = dailyBurn(marks, now);
        expect(burn === null || (burn >= perDay - 1n && burn <= perDay + 1n)).toBe(true);
        expect(burn).not.toBeNull();
      },
    ),
  );
});

test('marks are made a day apart, and kept as long as a week needs them', () => {
  const mark = (day: number): SpendingMark => ({ atMs: day * DAY_MS, spent: BigInt(day) });
  expect(withMark([], mark(0))).toEqual([mark(0)]);
  const late = { atMs: DAY_MS - 1, spent: 5n };
  expect(withMark([mark(0)], late)).toEqual([mark(0)]);
  expect(withMark([mark(0)], mark(1))).toEqual([mark(0), mark(1)]);
  const week = [0, 1, 2, 3, 4, 5, 6].map(mark);
  expect(withMark(week, mark(7))).toEqual([...week, mark(7)]);
  expect(withMark([...week, mark(7)], mark(8))).toEqual([...week.slice(1), mark(7), mark(8)]);
  expect(dailyBurn([mark(0)], { atMs: 2 * DAY_MS, spent: 7n })).toBe(3n);
  expect(dailyBurn([mark(1)], { atMs: 3 * DAY_MS, spent: 7n })).toBe(3n);
});

const USD = 1_000_000_000n;

const ruleOf = (more: Partial<AlertRule>): AlertRule => ({
  id: 'rule',
  name: 'a rule',
  kind: 'balance_below',
  threshold: 5n * USD,
  subjectId: null,
  mailRoles: [],
  mailTo: [],
  enabled: true,
  version: 1,
  createdAt: new Date(0),
  ...more,
});

const WATCHED: WatchedWorkspace = {
  id: 'workspace',
  name: 'Ours',
  nowMs: 8 * DAY_MS,
  credited: 100n * USD,
  spent: 98n * USD,
  seen: null,
  marks: [{ atMs: DAY_MS, spent: 28n * USD }],
  lacksDefaults: false,
};

/** What a rule finds in a workspace: how it stands, what it compares, and the sentence for people. */
function foundIn(
  more: Partial<AlertRule>,
  workspace: Partial<WatchedWorkspace> = {},
  lastTopUp: bigint | null = null,
  nextExpiry: NextExpiry | null = null,
) {
  return balanceFindings({ ...WATCHED, ...workspace }, [ruleOf(more)], { lastTopUp, nextExpiry }).map(
    ({ standing, crossing, ...of }) => {
      const { summary, value, limit, ...subject } = crossing();
      expect({ ...of, ...subject }).toEqual({
        workspaceId: 'workspace',
        ruleId: 'rule',
        subjectKind: 'workspace',
        subjectId: 'workspace',
        subjectName: 'Ours',
        window: null,
      });
      return [standing, value, limit, summary];
    },
  );
}

test.each<[string, Parameters<typeof foundIn>, unknown]>([
  ['an amount', [{}], ['crossed', 2n * USD, 5n * USD, 'The balance of "Ours" is 2.00 USD, below 5.00 USD.']],
  [
    'a share of the last top-up',
    [{ kind: 'balance_share', threshold: 20n }, {}, 15n * USD],
    ['crossed', 2n * USD, 3n * USD, 'The balance of "Ours" is 2.00 USD, below 20 % of the last top-up of 15.00 USD.'],
  ],
  [
    'a runway of a day',
    [{ kind: 'runway', threshold: 1n }],
    ['crossed', 2n * USD, 10n * USD, 'The balance of "Ours" is 2.00 USD: less than a day at 10.00 USD a day.'],
  ],
  [
    'a runway of days',
    [{ kind: 'runway', threshold: 2n }],
    ['crossed', 2n * USD, 20n * USD, 'The balance of "Ours" is 2.00 USD: less than 2 days at 10.00 USD a day.'],
  ],
  [
    'an amount, and what of it expires next',
    [{}, {}, null, { amount: USD, expiresAt: new Date('2026-12-01T00:00:00Z') }],
    [
      'crossed',
      2n * USD,
      5n * USD,
      'The balance of "Ours" is 2.00 USD, below 5.00 USD. Of it, 1.00 USD will expire on 1 December 2026.',
    ],
  ],
  [
    'a debt without any credit',
    [{}, { credited: 0n, spent: USD }],
    ['crossed', -USD, 5n * USD, 'The balance of "Ours" is -1.00 USD, below 5.00 USD.'],
  ],
  [
    'credit of which nothing is spent',
    [{}, { spent: 0n }],
    ['clear', 100n * USD, 5n * USD, 'The balance of "Ours" is 100.00 USD, below 5.00 USD.'],
  ],
])('a balance is compared with %s', (_what, given, found) => {
  expect(foundIn(...given)).toEqual([found]);
});

test.each<[string, Parameters<typeof foundIn>]>([
  ['no credit ever', [{}, { credited: 0n, spent: 0n }]],
  ['no top-up yet', [{ kind: 'balance_share', threshold: 20n }]],
  ['no day that is known', [{ kind: 'runway', threshold: 2n }, { marks: [] }]],
  ['a rule about budgets', [{ kind: 'project_budget', threshold: 80n }]],
  ['a rule that compares nothing', [{ kind: 'auto_top_up_stopped', threshold: null }]],
])('nothing is found in a balance with %s', (_what, given) => {
  expect(foundIn(...given)).toEqual([]);
});

const SUBJECT: LimitedSubject = {
  workspaceId: 'workspace',
  id: 'subject',
  name: 'Search',
  limit: 10n * USD,
  used: 9n * USD,
  windowStart: new Date('2026-11-01T00:00:00Z'),
  windowEnd: new Date('2026-12-01T00:00:00Z'),
};

test('a rule about shares finds the subjects that it is about, and says what is used of what until when', () => {
  const rules = [
    ruleOf({ id: 'each', kind: 'project_budget', threshold: 80n }),
    ruleOf({ id: 'this', kind: 'project_budget', threshold: 100n, subjectId: 'subject' }),
    ruleOf({ id: 'other', kind: 'project_budget', threshold: 80n, subjectId: 'another' }),
    ruleOf({ id: 'nothing', kind: 'project_budget', threshold: null }),
  ];
  const [each, own, ...others] = shareFindings('project', SUBJECT, rules);
  expect(others).toEqual([]);
  expect(each).toMatchObject({ workspaceId: 'workspace', ruleId: 'each', subjectId: 'subject', standing: 'crossed' });
  expect(own).toMatchObject({ ruleId: 'this', standing: 'clear' });
  expect(each?.crossing()).toEqual({
    subjectKind: 'project',
    subjectId: 'subject',
    subjectName: 'Search',
    window: { start: SUBJECT.windowStart, end: SUBJECT.windowEnd },
    summary: 'The project "Search" has used 80 % of its budget: 9.00 USD of 10.00 USD until 2026-12-01.',
    value: 9n * USD,
    limit: 10n * USD,
  });
  expect(own?.crossing().summary).toContain('has used up its budget: 9.00');
  const [ofKey] = shareFindings('key', { ...SUBJECT, windowEnd: null }, rules);
  expect(ofKey?.crossing()).toMatchObject({
    subjectKind: 'key',
    summary: 'The key "Search" has used 80 % of its limit: 9.00 USD of 10.00 USD.',
  });
});

test('the least percentage of rules is that from which on the first of them counts', () => {
  const percent = (...thresholds: (bigint | null)[]) =>
    leastPercent(thresholds.map((threshold) => ruleOf({ threshold })));
  expect([percent(80n, 50n, 90n), percent(100n), percent(null), percent()]).toEqual([50n, 99n, 99n, 100n]);
});

test('a crossing is new where its rule has no alert about its subject, and an alert is over where its value is clear', () => {
  const finding = (ruleId: string, subjectId: string, standing: Finding['standing']): Finding => ({
    workspaceId: 'workspace',
    ruleId,
    subjectId,
    standing,
    crossing: () => ({
      subjectKind: 'key',
      subjectId,
      subjectName: subjectId,
      window: null,
      summary: `${ruleId} ${subjectId}`,
      value: null,
      limit: null,
    }),
  });
  const alert = (id: string, ruleId: string, subjectId: string) => ({
    id,
    workspaceId: 'workspace',
    ruleId,
    subjectId,
  });
  const { crossed, over } = turnsOf(
    [
      finding('one', 'a', 'crossed'),
      finding('one', 'b', 'crossed'),
      finding('one', 'c', 'crossed'),
      finding('one', 'd', 'clear'),
      finding('one', 'e', 'between'),
      finding('one', 'f', 'clear'),
      finding('one', 'g', 'between'),
      finding('two', 'a', 'crossed'),
    ],
    [alert('1', 'one', 'c'), alert('2', 'one', 'd'), alert('3', 'one', 'e'), alert('4', 'two', 'b')],
  );
  expect(over).toEqual(['2']);
  expect([...crossed].map(([rule, crossings]) => [rule, crossings.map(({ subjectId }) => subjectId)])).toEqual([
    ['one', ['a', 'b']],
    ['two', ['a']],
  ]);
});
