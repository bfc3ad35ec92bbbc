import { openConsoles } from '../../test/support/open-consoles.ts';
import { signedIn, type SignedInPerson } from '../../test/support/signed-in-person.ts';
import { type BenchSettings, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { besideQuiet, PER_SECOND } from './beside-quiet.ts';
import { largeWorkspaceOf } from './large-workspace-of.ts';

// What requests notice of consoles that show the workspace which they are charged to: each request is news to all of them.

const CONSOLES = 20;
const PEOPLE = 4;

const opened = new WeakMap<Stage, readonly SignedInPerson[]>();

async function peopleOf(stage: Stage, workspaceId: string): Promise<readonly SignedInPerson[]> {
  const known = opened.get(stage);
  if (known !== undefined) return known;
  const people: SignedInPerson[] = [];
  while (people.length < PEOPLE) people.push(await signedIn(stage.instance.program, { workspaceId }));
  opened.set(stage, people);
  return people;
}

async function consolesRound(stage: Stage, settings: BenchSettings): Promise<Round> {
  const { workspace, key } = await largeWorkspaceOf(stage, settings.scale);
  const people = await peopleOf(stage, workspace.id);
  const { round, running } = await besideQuiet(stage, settings, {
    name: `${CONSOLES} consoles`,
    keys: [key.key],
    begin: async () => {
      const consoles = openConsoles(stage.instance.program.url, people, CONSOLES);
      await consoles.opened;
      return consoles;
    },
  });
  const { waits, events, refused } = running.tally;
  if (refused.size > 0) throw new Error(`consoles were refused: ${JSON.stringify([...refused])}`);
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return {
    ...round,
    'answers to consoles': waits.length,
    'events to consoles': events,
    'a console waits p50 ms': at(0.5),
    'a console waits p99 ms': at(0.99),
  };
}

export const consoles = stagedProfile(
  'consoles',
  `${PER_SECOND} requests/s of a workspace whose home page is open in ${CONSOLES} consoles`,
  consolesRound,
);
