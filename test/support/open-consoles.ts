import { Resting } from '../../console/src/api/resting.ts';
import type { SignedInPerson } from './signed-in-person.ts';

// Consoles that show the home page of a workspace, without a browser: each holds a stream of events and sends the requests
// that the page sends, when it does. A test of the page compares the two.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As in console/src/api/live.ts and home.ts. */
const REST_MS = 5_000;
const AGAIN_MS = 60_000;

/** What the page asks for, below the workspace's path. */
type Question = 'home' | 'latest' | 'days' | 'last day';

/** What it asks for when it is opened, after a request was charged, and from time to time. */
export const HOME_QUESTIONS = {
  opened: ['home'],
  charged: ['latest', 'days', 'last day'],
  again: ['home'],
} as const satisfies Record<string, readonly Question[]>;

/** The path of a question at a moment. */
export function homePath(workspace: string, question: Question, nowMs: number): string {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const today = new Date(nowMs);
  const month = (ago: number): number => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago);
  const usage = (fromMs: number, others: Readonly<Record<string, string>>): string =>
    `/usage?${new URLSearchParams({ from: new Date(fromMs).toISOString(), ...others }).toString()}`;
  const below: Readonly<Record<Question, () => string>> = {
    home: () => '/overview?figures=true',
    latest: () => '/receipts?limit=5',
    days: () => usage(Math.min(Math.floor(nowMs / DAY_MS) * DAY_MS - 29 * DAY_MS, month(0)), { bucket: 'day' }),
    'last day': () => usage(hourMs - 23 * HOUR_MS, { latency: 'true' }),
  };
  return `/workspaces/${workspace}${below[question]()}`;
}

/** What came of them so far. */
export interface ConsoleTally {
  readonly events: number;
  /** How long each answer took, in milliseconds. */
  readonly waits: readonly number[];
  /** How often each refusal was the answer. */
  readonly refused: ReadonlyMap<string, number>;
}

export interface OpenConsoles {
  readonly tally: ConsoleTally;
  /** Resolves once all have shown their page. */
  readonly opened: Promise<void>;
  stop(): Promise<void>;
}

/** Opens so many consoles of the people's workspace, which take turns; a person may have ten. */
export function openConsoles(url: string, people: readonly SignedInPerson[], count: number): OpenConsoles {
  const closing = new AbortController();
  const { signal } = closing;
  const refused = new Map<string, number>();
  const tally = { events: 0, waits: [] as number[], refused };
  const restings: Resting[] = [];
  const timers: NodeJS.Timeout[] = [];

  const note = (status: number, what: string | null): void => {
    const answer = `${status} ${what}`;
    refused.set(answer, (refused.get(answer) ?? 0) + 1);
  };
  const fail = (fault: unknown): void => closing.abort(fault);
  const ask = async ({ session, workspaceId }: SignedInPerson, question: Question): Promise<void> => {
    const sinceMs = performance.now();
    const { status, code } = await session.get(homePath(workspaceId, question, Date.now()));
    tally.waits.push(performance.now() - sinceMs);
    if (status !== 200) note(status, code);
  };
  const askAll = async (person: SignedInPerson, questions: readonly Question[]): Promise<void> => {
    await Promise.all(questions.map((question) => ask(person, question)));
  };
  const listen = async ({ session, workspaceId }: SignedInPerson, onRequest: () => void): Promise<void> => {
    const cookie = Array.from(session.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const stream = await fetch(`${url}/admin/v1/workspaces/${workspaceId}/events`, { headers: { cookie }, signal });
    if (stream.status !== 200 || stream.body === null) {
      note(stream.status, 'of a stream');
      return;
    }
    for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
      const names = Array.from(chunk.matchAll(/^event: (\w+)$/gm), ([, name]) => name);
      tally.events += names.length;
      if (names.includes('request')) onRequest();
    }
  };
  const show = async (person: SignedInPerson): Promise<void> => {
    const resting = new Resting(REST_MS);
    restings.push(resting);
    const again = (questions: readonly Question[]): void => void askAll(person, questions).catch(fail);
    listen(person, () => resting.run('charged', () => again(HOME_QUESTIONS.charged))).catch(fail);
    timers.push(setInterval(() => again(HOME_QUESTIONS.again), AGAIN_MS));
    await askAll(person, HOME_QUESTIONS.opened);
  };
  const shown = Array.from({ length: count }, (_, index) => {
    const person = people[index % people.length];
    if (person === undefined) throw new Error('somebody has to look at the consoles');
    return show(person);
  });
  return {
    tally,
    opened: Promise.all(shown).then(() => signal.throwIfAborted()),
    stop: async () => {
      closing.abort();
      for (const timer of timers) clearInterval(timer);
      for (const resting of restings) resting.end();
      await Promise.allSettled(shown);
    },
  };
}
