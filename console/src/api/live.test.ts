import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEventName } from '../../../src/control/admin/live/live-contract.ts';
import { lastRequestQuery, latestReceiptsQuery } from './home.ts';
import { listenToWorkspace } from './live.ts';
import { workspaceQuery } from './workspaces.ts';

const CLOSED = 2;

/** A browser's stream of events. */
class FakeSource extends EventTarget {
  static readonly CLOSED = CLOSED;
  static opened: FakeSource[] = [];
  readonly url: string;
  readyState = 1;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.opened.push(this);
  }

  close(): void {
    this.readyState = CLOSED;
  }

  send(event: LiveEventName, data: object = {}): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }

  /** The server refuses the stream. */
  refuse(): void {
    this.readyState = CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.opened = [];
  page.hidden = false;
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that listens to the workspace `w/1`, and what it reads again. */
function listening() {
  const queries = new QueryClient();
  const again: (QueryKey | undefined)[] = [];
  vi.spyOn(queries, 'invalidateQueries').mockImplementation((filters) => {
    again.push(filters?.queryKey);
    return Promise.resolve();
  });
  const end = listenToWorkspace(queries, 'w/1');
  const source = (): FakeSource => {
    const last = FakeSource.opened.at(-1);
    if (last === undefined) throw new Error('no stream was opened');
    return last;
  };
  const look = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { queries, again, end, source, look };
}

const below = (...areas: readonly string[]): QueryKey[] => areas.map((area) => ['workspace', 'w/1', area]);
const WORKSPACE: QueryKey = ['workspace', 'w/1'];
const BALANCE = { balance_nano_usd: '5', balance_usd: '0.000000005' };
const REQUEST = { request_id: 'r', is_first: true };

// What comes first on a stream is how things stand, so a balance counts from the second one on.
test.each<[LiveEventName, readonly object[], readonly string[]]>([
  ['balance', [BALANCE, BALANCE], ['credit']],
  ['request', [REQUEST], ['receipts', 'usage', 'key', 'project']],
  ['payment', [{}], ['top-ups', 'credit']],
  ['alert', [{}], ['alerts', 'attention']],
  ['key', [{}], ['keys', 'key', 'attention']],
])('after an event named %s, all that shows such things is read again', (name, events, areas) => {
  const { again, source, end } = listening();
  if (name === 'request') source().send('balance', BALANCE);
  for (const event of events) source().send(name, event);
  expect(source().url).toBe('/admin/v1/workspaces/w%2F1/events');
  expect(again).toEqual(below(...areas));
  end();
});

test('under steady traffic, what an event makes stale is read again once in five seconds', () => {
  const { again, source, end } = listening();
  for (let count = 0; count < 5; count += 1) source().send('alert');
  expect(again).toEqual(below('alerts', 'attention'));
  vi.advanceTimersByTime(4_999);
  expect(again).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(again).toEqual(below('alerts', 'attention', 'alerts', 'attention'));
  end();
});

test('a balance is shown as it comes, and the credit is read again only if there is more of it', () => {
  const { queries, again, source, end } = listening();
  const { queryKey } = workspaceQuery('w/1');
  const known = { id: 'w/1', name: 'Acme', balance_nano_usd: '5', owed_usd: '1' };
  queries.setQueryData(queryKey, known as never);
  const amounts = {
    balance_nano_usd: '4',
    balance_usd: 'a',
    held_nano_usd: '3',
    held_usd: 'b',
    leased_nano_usd: '2',
    leased_usd: 'c',
    owed_nano_usd: '1',
    owed_usd: 'd',
  };
  source().send('balance', { ...amounts, burn_usd: 'e' });
  expect(queries.getQueryData(queryKey)).toEqual({ ...known, ...amounts });
  expect(again).toEqual([]);
  source().send('balance', { ...amounts, balance_nano_usd: '6' });
  expect(again).toEqual([WORKSPACE, ...below('credit')]);
  end();
});

test('the first request of a stream is news only if the newest receipts were read before it', () => {
  const { queries, again, source, end } = listening();
  const receipts = (...ids: readonly string[]): void => {
    const data = ids.map((id) => ({ request_id: id }));
    queries.setQueryData(latestReceiptsQuery('w/1').queryKey, { data, next_cursor: null } as never);
  };
  receipts('r1');
  source().send('balance', BALANCE);
  source().send('request', { request_id: 'r1', is_first: false });
  expect(again).toEqual([]);
  expect(queries.getQueryData(lastRequestQuery('w/1').queryKey)).toEqual({ request_id: 'r1', is_first: false });
  source().send('request', { request_id: 'r2', is_first: false });
  expect(again).toEqual(below('receipts', 'usage', 'key', 'project'));
  end();
  const missed = listening();
  missed.queries.setQueryData(latestReceiptsQuery('w/1').queryKey, {
    data: [],
    next_cursor: null,
    searched_until: null,
    end_user_since: null,
  });
  missed.source().send('request', { request_id: 'r1', is_first: false });
  expect(missed.again).toEqual(below('receipts', 'usage', 'key', 'project'));
  missed.end();
});

test.each([
  ['read again where it was charged after the page was opened', 2_999, ['receipts', 'usage', 'key', 'project']],
  ['not read again where it was charged well before that', 3_000, []],
])('where no receipts are shown, the first request of a stream is %s', (_, ageMs, areas) => {
  const { again, source, end } = listening();
  vi.advanceTimersByTime(2_000);
  source().send('balance', BALANCE);
  source().send('request', { request_id: 'r1', is_first: false, age_ms: ageMs });
  expect(again).toEqual(below(...areas));
  end();
});

test('a role that gets no event of the balance reads it again with each request', () => {
  const { again, source, end } = listening();
  source().send('request', REQUEST);
  expect(again).toEqual([WORKSPACE, ...below('receipts', 'usage', 'key', 'project')]);
  end();
});

test('what happened between two streams is read again, and nothing at the first one', () => {
  const { again, source, end } = listening();
  source().dispatchEvent(new Event('open'));
  expect(again).toEqual([]);
  source().dispatchEvent(new Event('open'));
  expect(again).toEqual([WORKSPACE]);
  end();
});

test('a stream that the server refuses is asked for again, ever more seldom, up to once a minute', () => {
  const { again, source, end } = listening();
  for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    const { length } = FakeSource.opened;
    source().refuse();
    // The session may be over.
    expect(again.at(-1)).toEqual(['me']);
    vi.advanceTimersByTime(waitMs - 1);
    expect(FakeSource.opened).toHaveLength(length);
    vi.advanceTimersByTime(1);
    expect(FakeSource.opened).toHaveLength(length + 1);
  }
  source().dispatchEvent(new Event('open'));
  source().refuse();
  vi.advanceTimersByTime(1_000);
  expect(FakeSource.opened).toHaveLength(10);
  end();
});

test('a connection that is lost is left to the browser, which comes back by itself', () => {
  const { again, source, end } = listening();
  source().dispatchEvent(new Event('error'));
  vi.advanceTimersByTime(60_000);
  expect(again).toEqual([]);
  expect(FakeSource.opened).toHaveLength(1);
  end();
});

test('a page has a stream only while somebody looks at it', () => {
  const { source, look, end } = listening();
  look(true);
  expect(source().readyState).toBe(CLOSED);
  look(false);
  look(false);
  expect(FakeSource.opened).toHaveLength(2);
  expect(source().readyState).toBe(1);
  end();
  expect(source().readyState).toBe(CLOSED);
  look(true);
  look(false);
  expect(FakeSource.opened).toHaveLength(2);
});

test('a hidden page, and one that was left, does not come back to a server that has refused it', () => {
  const hidden = listening();
  hidden.source().refuse();
  hidden.look(true);
  vi.advanceTimersByTime(60_000);
  const left = listening();
  expect(FakeSource.opened).toHaveLength(1);
  left.look(false);
  left.source().refuse();
  left.end();
  hidden.end();
  const { length } = FakeSource.opened;
  vi.advanceTimersByTime(60_000);
  expect(FakeSource.opened).toHaveLength(length);
});
