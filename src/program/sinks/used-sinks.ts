import type { UsedSink } from '../../control/sinks/workspace-sinks.ts';
import type { Clock } from '../../lib/clock.ts';
import { LatestTask } from '../../lib/latest-task.ts';

const RETRY_MS = 1_000;

interface UsedSinksParts {
  readonly clock: Clock;
  readonly read: () => Promise<readonly UsedSink[]>;
  readonly onFault: (fault: unknown) => void;
}

/** What workspaces have delivered, in memory. */
export class UsedSinks {
  readonly #reading: LatestTask<null>;
  #byWorkspace: ReadonlyMap<string, readonly UsedSink[]> = new Map();

  constructor({ clock, read, onFault }: UsedSinksParts) {
    this.#reading = new LatestTask({
      clock,
      run: async () => {
        this.#byWorkspace = Map.groupBy(await read(), ({ workspaceId }) => workspaceId);
      },
      onFault,
      retryMs: RETRY_MS,
    });
  }

  /** All that a workspace uses; undefined: none. */
  of(workspaceId: string): readonly UsedSink[] | undefined {
    return this.#byWorkspace.get(workspaceId);
  }

  /** Reads them again. */
  invalidate(): void {
    this.#reading.submit(null);
  }

  stop(): Promise<void> {
    return this.#reading.stop();
  }
}
