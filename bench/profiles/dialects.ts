import { smallChat, smallMessage, smallResponse } from '../bodies.ts';
import { type Load, measure, type Measured } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';

// What the same small request costs in each dialect, with a provider that speaks it and with one that speaks chat alone,
// as multiples of chat's cost. The dialects take turns, chat first and last, because a machine's pace changes by more than
// they differ.

type Bodies = Pick<Load, 'endpoint'> & { readonly bodyOf: (model: string, rest: object) => string };

const CHAT: Bodies = { endpoint: 'chat/completions', bodyOf: smallChat };
const MESSAGES: Bodies = { endpoint: 'messages', bodyOf: smallMessage };
const RESPONSES: Bodies = {
  endpoint: 'responses',
  bodyOf: (model, rest) => smallResponse(model, { store: false, ...rest }),
};
/** As clients send them that say nothing of it. */
const KEPT: Bodies = { endpoint: 'responses', bodyOf: smallResponse };

/** How the upstream answers, by how it answers chat. */
const WAYS: readonly { readonly name: string; readonly bodies: Bodies; readonly suffix: string }[] = [
  { name: 'native Messages', bodies: MESSAGES, suffix: '-messages' },
  { name: 'native Responses', bodies: RESPONSES, suffix: '-responses' },
  { name: 'translated Messages', bodies: MESSAGES, suffix: '' },
  { name: 'translated Responses', bodies: RESPONSES, suffix: '' },
  { name: 'native Responses that are kept', bodies: KEPT, suffix: '-responses' },
];

/** A load of one kind, in any dialect. */
interface Kind {
  /** How the upstream answers chat. */
  readonly behaviour: string;
  readonly connections: number;
  readonly rampMs?: number;
  /** What the CPU time is divided by. */
  readonly unit: 'request' | 'chunk';
  readonly requestsFirst: number;
}

function loadOf({ behaviour, connections, rampMs = 0, unit }: Kind, { endpoint, bodyOf }: Bodies, suffix = ''): Load {
  const model = behaviour + suffix;
  const body = bodyOf(model, unit === 'chunk' ? { stream: true } : {});
  return { behaviour: model, endpoint, body, connections, rampMs };
}

async function round(stage: Stage, { seconds, scale }: BenchSettings, kind: Kind): Promise<Round> {
  const timing = { warmUp: Math.max(seconds / 3, (kind.rampMs ?? 0) / 1_000), window: seconds };
  const cost = async (bodies: Bodies, suffix?: string): Promise<number> => {
    const load = loadOf({ ...kind, connections: Math.ceil(kind.connections * scale) }, bodies, suffix);
    const requestsFirst = kind.requestsFirst * scale;
    const measured: Measured = await measure(stage, 'faregate', load, { ...timing, requestsFirst });
    return measured.cpuUs / (kind.unit === 'request' ? measured.requests : measured.chunks);
  };
  const before = await cost(CHAT);
  const ways: { readonly name: string; readonly us: number }[] = [];
  for (const { name, bodies, suffix } of WAYS) ways.push({ name, us: await cost(bodies, suffix) });
  const chat = (before + (await cost(CHAT))) / 2;
  return {
    [`chat CPU µs/${kind.unit}`]: chat,
    ...Object.fromEntries(ways.map(({ name, us }) => [`${name} × chat`, us / chat])),
  };
}

function profile(name: string, about: string, kind: Kind): Profile {
  return stagedProfile(name, `the dialects: ${about}`, (stage, settings) => round(stage, settings, kind));
}

export const dialects: readonly Profile[] = [
  profile('dialects-small', 'a short request, 32 connections', {
    behaviour: 'plain',
    connections: 32,
    unit: 'request',
    requestsFirst: 20_000,
  }),
  profile('dialects-stream', '250 streams of 100 chunks, one every 20 ms', {
    behaviour: 'stream',
    connections: 250,
    rampMs: 2_000,
    unit: 'chunk',
    requestsFirst: 0,
  }),
  profile('dialects-burst', '16 streams of 1,000 tiny chunks that come at once', {
    behaviour: 'burst',
    connections: 16,
    unit: 'chunk',
    requestsFirst: 200,
  }),
];
