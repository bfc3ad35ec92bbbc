import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminClient } from '../../../control/admin/client.ts';
import { AdminUnreachable } from '../../../control/admin/client/send.ts';
import type { WORKSPACE_COMMANDS } from '../../../control/operations/workspace-commands.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import type { DeclaredCommands } from '../declared-commands.ts';
import { plain } from '../text-layout.ts';

const POLL_MS = 200;
/** Failed polls in a row after which the move is no longer followed: an instance that restarts continues the move. */
const FAILED_POLLS_MAX = 150;

export type MoveShown = Awaited<ReturnType<AdminClient['showMove']>>;

/** What a move is given besides the workspace. */
export interface MoveGiven {
  readonly to: string;
  readonly wait_seconds?: number | undefined;
}

/** `workspace move|show-move|cancel-move`. */
export function addMoveCommands(commands: DeclaredCommands<typeof WORKSPACE_COMMANDS>, context: CliContext): void {
  commands.run('workspace move', async ({ given: { workspace, ...given }, options }) => {
    const client = context.connect(options);
    const onProgress =
      options.json === true ? undefined : (move: MoveShown) => context.surroundings.err(moveText(move));
    const move = await moveToEnd(client, workspace, given, { signal: context.surroundings.stopped(), onProgress });
    if (move.state === 'returned') throw new CliFailure(`the workspace has stayed here: ${plain(move.problem ?? '')}`);
    context.print(options, move, moveText(move));
  });
  commands.say('workspace show-move', moveText);
  commands.say('workspace cancel-move', moveText);
}

/** Begins a move, or continues the one in progress, and follows it to its end. */
export async function moveToEnd(
  client: AdminClient,
  workspace: string,
  { to, wait_seconds: wait }: MoveGiven,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress?: ((move: MoveShown) => void) | undefined },
): Promise<MoveShown> {
  let move = await client.moveWorkspace(workspace, { to, ...(wait !== undefined && { wait_seconds: wait }) });
  let failedPolls = 0;
  while (move.state !== 'ended' && move.state !== 'returned') {
    await sleep(POLL_MS, undefined, { signal });
    try {
      const next = await client.showMove(workspace);
      if (next.state !== move.state || next.problem !== move.problem) onProgress?.(next);
      move = next;
      failedPolls = 0;
    } catch (fault) {
      if (!(fault instanceof AdminUnreachable) || ++failedPolls === FAILED_POLLS_MAX) throw fault;
    }
  }
  return move;
}

const STATES: Readonly<Record<MoveShown['state'], string>> = {
  copying: 'Copying it while it works',
  paused: 'Paused: its requests are refused for a moment',
  moved: 'It lives there; that cell is still to open it',
  ended: 'It lives there',
  returning: 'It works here; that cell is still to drop what has arrived',
  returned: 'It has stayed here',
};

/** A move in a line. */
export function moveText({ to, state, rows, rows_left: left, problem, pause_ms: pauseMs }: MoveShown): string {
  const why = problem === null ? '' : ` (${plain(problem)})`;
  const share = state === 'copying' && left > 0 ? `, ${left} left (${Math.floor((100 * rows) / (rows + left))} %)` : '';
  const pause = pauseMs === null ? '' : `, after a pause of ${(pauseMs / 1_000).toFixed(1)} s`;
  return `To the cell ${plain(to)}, ${rows} rows sent${share}. ${STATES[state]}${pause}${why}.\n`;
}
