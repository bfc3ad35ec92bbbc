import { vi } from 'vitest';
import type { LiveEvent, LiveEventName } from '../../src/control/admin/live/live-contract.ts';

type DataOf<Name extends LiveEventName> = Extract<LiveEvent, { name: Name }>['data'];

/** An open stream of a workspace's events, as a client reads it. */
export class EventListening {
  readonly #abort = new AbortController();
  readonly events: LiveEvent[] = [];
  /** All that has come, comments included. */
  text = '';
  hasEnded = false;

  /** Opens one. @throws Error unless it is answered with events */
  static async open(url: string, workspaceId: string, headers: Record<string, string>): Promise<EventListening> {
    const listening = new EventListening();
    const { signal } = listening.#abort;
    const response = await fetch(`${url}/admin/v1/workspaces/${workspaceId}/events`, { headers, signal });
    if (response.status !== 200 || response.body === null)
      throw new Error(`${response.status} ${await response.text()}`);
    listening.#read(response.body).catch(() => (listening.hasEnded = true));
    return listening;
  }

  /** The data of the first event of this name that fits. */
  async waitFor<Name extends LiveEventName>(
    name: Name,
    fits: (data: DataOf<Name>) => boolean = () => true,
  ): Promise<DataOf<Name>> {
    const [data] = await vi.waitFor(
      () => {
        const found = this.events.find((event) => event.name === name && fits(event.data as DataOf<Name>));
        if (found === undefined) throw new Error(`no such ${name} among ${this.text}`);
        return [found.data as DataOf<Name>] as const;
      },
      { timeout: 15_000, interval: 10 },
    );
    return data;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let unread = '';
    for await (const chunk of body) {
      const text = decoder.decode(chunk, { stream: true });
      this.text += text;
      const blocks = (unread + text).split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (name !== undefined && data !== undefined) this.events.push({ name, data: JSON.parse(data) } as LiveEvent);
      }
    }
    this.hasEnded = true;
  }
}
