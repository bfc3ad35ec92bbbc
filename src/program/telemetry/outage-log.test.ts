import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { DatabaseUnavailable, SqlFault } from '../../lib/sql.ts';
import { createLogTo } from './log.ts';
import { OutageLog } from './outage-log.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly event?: string;
  readonly faults?: number;
  readonly forMs?: number;
  readonly err?: unknown;
}

let clock: ManualClock;
let lines: Line[];
let isAway: boolean;
let log: OutageLog;

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  isAway = true;
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  log = new OutageLog(createLogTo('info', destination), clock);
  log.watch(() => (isAway ? Promise.reject(new DatabaseUnavailable('away')) : Promise.resolve()));
});

const away = () => new Error('it failed', { cause: new DatabaseUnavailable('connect ECONNREFUSED') });
const ROOMS = ['the change feed could not be read; will retry', 'the outbox could not be read or written; will retry'];

/** So many seconds, in each of which all rooms fail if the database is away. */
async function live(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    if (isAway) for (const room of ROOMS) log.warn({ err: away() }, room);
    await clock.advance(1_000);
  }
}

test('ten minutes of outage are a line at its beginning, one a minute and one at its end, without a stack', async () => {
  await live(595);
  isAway = false;
  await live(20);
  expect(lines.map(({ event }) => event)).toEqual([...Array<string>(10).fill('database_outage'), 'database_back']);
  expect(JSON.stringify(lines)).not.toContain('stack');
  expect(lines.at(-1)).toMatchObject({ level: 'info', faults: 1_190 });
  expect(lines.at(-1)?.forMs).toBeLessThan(606_000);
  isAway = true;
  await live(1);
  expect(lines.at(-1)).toMatchObject({ event: 'database_outage', msg: expect.stringContaining('is tried again') });
});

test('a database that answers now and then stays one outage until nothing has failed for some seconds', async () => {
  for (let turn = 0; turn < 10; turn++) {
    isAway = turn % 2 === 0;
    await live(2);
  }
  expect(lines).toHaveLength(1);
});

test('other faults, errors, rows that others hold and lines about requests are logged as ever, also in an outage', async () => {
  await live(1);
  log.warn({ err: new SqlFault('a bug', '42P01', null) }, 'a statement is wrong');
  log.error({ err: away() }, 'a receipt could not be committed or journaled');
  log.warn({ err: new DatabaseUnavailable('locked', { reason: 'contended' }) }, 'a row is held');
  log.warn({ err: away(), requestId: 'r' }, 'a response could not be kept');
  log.info({}, 'hello');
  expect(lines.slice(1).map(({ msg }) => msg)).toEqual([
    'a statement is wrong',
    'a receipt could not be committed or journaled',
    'a row is held',
    'a response could not be kept',
    'hello',
  ]);
});

test('before the database is watched, and after, its faults are logged one by one', async () => {
  const other: Line[] = [];
  const destination = { write: (line: string) => void other.push(JSON.parse(line) as Line) };
  const unwatched = new OutageLog(createLogTo('info', destination), clock);
  unwatched.warn({ err: away() }, 'one');
  const stop = unwatched.watch(() => Promise.reject(away()));
  unwatched.warn({ err: away() }, 'two');
  stop();
  unwatched.warn({ err: away() }, 'three');
  await clock.advance(120_000);
  expect(other.map(({ msg, event }) => event ?? msg)).toEqual(['one', 'database_outage', 'three']);
});
