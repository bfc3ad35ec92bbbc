import type { Profile } from '../profile.ts';
import { cells } from './cells.ts';
import { consoles } from './consoles.ts';
import { control } from './control.ts';
import { dialects } from './dialects.ts';
import { fees } from './fees.ts';
import { formers } from './former.ts';
import { growingKeys } from './growing-keys.ts';
import { growingProcesses } from './growing-processes.ts';
import { growingPurses } from './growing-purses.ts';
import { livePrincipals } from './live-principals.ts';
import { memory } from './memory.ts';
import { memorySlope } from './memory-slope.ts';
import { oneConnection } from './one-connection.ts';
import { plainRequests } from './requests.ts';
import { bySchema } from './schema.ts';
import { served } from './served.ts';
import { settling } from './settling.ts';
import { sparse } from './sparse.ts';
import { streams } from './streams.ts';
import { tracing } from './tracing.ts';
import { warmStart } from './warm-start.ts';

/** All profiles, in the order in which they run. */
export const PROFILES: readonly Profile[] = [
  ...plainRequests,
  oneConnection,
  ...formers,
  warmStart,
  bySchema,
  ...streams,
  ...dialects,
  fees,
  served,
  ...tracing,
  memory,
  memorySlope,
  settling,
  sparse,
  growingKeys,
  growingProcesses,
  growingPurses,
  livePrincipals,
  cells,
  control,
  consoles,
];

/** The profiles of this name, or whose name begins with it: `small` means all of `small-…`. */
export function profilesNamed(name: string): readonly Profile[] {
  return PROFILES.filter((profile) => profile.name === name || profile.name.startsWith(`${name}-`));
}
