import type { Clock } from '../../lib/clock.ts';
import { LatestTask } from '../../lib/latest-task.ts';
import type { ChangeFeed } from './changes.ts';

const RETRY_MS = 250;

interface Options {
  /** Reads where the cells are, by their shards. @throws DatabaseUnavailable */
  readonly read: () => Promise<ReadonlyMap<string, string>>;
  readonly clock: Clock;
  readonly feed: Pick<ChangeFeed, 'subscribe'>;
  readonly onFault: (fault: unknown) => void;
}

/** Where the other cells are that this one knows, kept current by the change feed. None until the first `reload`. */
export class KnownCells {
  readonly #read: Options['read'];
  readonly #reloads: LatestTask<null>;
  #urls: ReadonlyMap<string, string> = new Map();

  constructor({ read, clock, feed, onFault }: Options) {
    this.#read = read;
    this.#reloads = new LatestTask({ clock, run: () => this.reload(), onFault, retryMs: RETRY_MS });
    const submit = (): void => this.#reloads.submit(null);
    feed.subscribe(({ kind }) => kind === 'cell' && submit(), submit);
  }

  has(shard: string): boolean {
    return this.#urls.has(shard);
  }

  /** The URL of a cell, without a slash at its end; undefined if it is not known. */
  urlOf(shard: string): string | undefined {
    return this.#urls.get(shard);
  }

  /** Reads them. @throws DatabaseUnavailable */
  async reload(): Promise<void> {
    this.#urls = await this.#read();
  }

  stop(): Promise<void> {
    return this.#reloads.stop();
  }
}
