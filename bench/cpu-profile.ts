// A CPU profile as V8 writes it, read as a tree of functions with the time that each was running.

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function with what it called; microseconds, with and without what it called. */
export interface Frame {
  readonly name: string;
  /** Where it is, from the repository's root, such as `src/gate/gateway/answers/relay.ts:42`; what isn't ours by its package or module. */
  readonly place: string;
  readonly isOurs: boolean;
  readonly selfUs: number;
  readonly totalUs: number;
  readonly children: readonly Frame[];
}

/** One function, wherever it was called from. */
export interface FunctionCost {
  readonly name: string;
  readonly place: string;
  readonly isOurs: boolean;
  readonly selfUs: number;
}

const NOT_WORK = new Set(['(root)', '(idle)', '(program)']);
const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;

function placeOf({ url, lineNumber }: ProfileNode['callFrame'], root: string): string {
  const path = url.startsWith('file:') ? decodeURIComponent(new URL(url).pathname) : url;
  const packageName = PACKAGE.exec(path)?.[1];
  if (packageName !== undefined) return packageName;
  if (path.startsWith(root)) return `${path.slice(root.length).replace(/^\//, '')}:${lineNumber + 1}`;
  return path === '' ? 'native' : path;
}

/** A stretch of the machine's monotonic clock, in microseconds. */
export interface Stretch {
  readonly fromUs: number;
  readonly toUs: number;
}

/**
 * How long each node was running within the stretch. A sample that comes late stands for a thread that had to wait for a
 * core, most often after waking another up: what is beyond the usual distance is nobody's work.
 */
function selfTimes({ startTime, samples, timeDeltas }: CpuProfile, { fromUs, toUs }: Stretch): Map<number, number> {
  const self = new Map<number, number>();
  const usual = timeDeltas.toSorted((a, b) => a - b)[Math.floor(timeDeltas.length / 2)] ?? 0;
  let atUs = startTime;
  samples.forEach((id, index) => {
    const delta = timeDeltas[index] ?? 0;
    atUs += delta;
    if (atUs >= fromUs && atUs <= toUs) self.set(id, (self.get(id) ?? 0) + Math.min(Math.max(0, delta), 2 * usual));
  });
  return self;
}

/** Reads what a profile's JSON says of a stretch of time; `root` is the repository's folder. */
export function readCpuProfile(json: string, root: string, stretch: Stretch): Frame {
  const profile = JSON.parse(json) as CpuProfile;
  const { nodes } = profile;
  const self = selfTimes(profile, stretch);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const frameOf = (node: ProfileNode): Frame => {
    const children = (node.children ?? [])
      .map((id) => byId.get(id))
      .filter((child) => child !== undefined)
      .map(frameOf);
    const place = placeOf(node.callFrame, root);
    const selfUs = self.get(node.id) ?? 0;
    return {
      name: node.callFrame.functionName || '(anonymous)',
      place,
      isOurs: place.startsWith('src/'),
      selfUs,
      totalUs: children.reduce((sum, { totalUs }) => sum + totalUs, selfUs),
      children,
    };
  };
  const [root0] = nodes;
  if (root0 === undefined) throw new Error('the profile is empty');
  return frameOf(root0);
}

/** Each function's own time, the highest first; waiting isn't counted. */
export function functionCosts(tree: Frame): readonly FunctionCost[] {
  const costs = new Map<string, FunctionCost>();
  const add = ({ name, place, isOurs, selfUs, children }: Frame): void => {
    const key = `${name} ${place}`;
    if (!NOT_WORK.has(name)) costs.set(key, { name, place, isOurs, selfUs: (costs.get(key)?.selfUs ?? 0) + selfUs });
    children.forEach(add);
  };
  add(tree);
  return [...costs.values()].toSorted((a, b) => b.selfUs - a.selfUs);
}
