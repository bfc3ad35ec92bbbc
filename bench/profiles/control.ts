import { startControlLoad } from '../../test/support/control-load.ts';
import { type BenchSettings, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { besideQuiet, PER_SECOND } from './beside-quiet.ts';
import { largeWorkspaceOf } from './large-workspace-of.ts';

// What requests notice of the control plane, all of which runs at once.

async function controlRound(stage: Stage, settings: BenchSettings): Promise<Round> {
  const account = await largeWorkspaceOf(stage, settings.scale);
  const { round, running } = await besideQuiet(stage, settings, {
    name: 'everything',
    begin: () => Promise.resolve(startControlLoad(stage.instance.program.admin, account)),
  });
  const { proofs, pages, exportedBytes, backupBytes, refused } = running.tally;
  const away = [...refused.keys()].find((message) => message.includes('away'));
  if (away !== undefined) throw new Error(`the database was there, but it was said: ${away}`);
  return {
    ...round,
    'proofs answered': proofs,
    'pages of keys': pages,
    'MB of exports': exportedBytes / 1e6,
    'MB of backups': backupBytes / 1e6,
    'refused for want of a place': [...refused.values()].reduce((sum, count) => sum + count, 0),
  };
}

export const control = stagedProfile(
  'control',
  `${PER_SECOND} requests/s beside 12 callers of proofs, 3 of lists of 50,000 keys, 3 of exports, and backups`,
  controlRound,
);
