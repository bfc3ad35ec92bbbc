import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import { createQueryClient } from '../../console/src/api/query-client.ts';
import { followLinks } from '../../console/src/frame/link-navigation.ts';
import { createConsoleRouter } from '../../console/src/router.ts';
import { announce, currentAnnouncements, dismissToast } from '../../console/src/ui/announcements.ts';
import { ANSWERED_MS } from '../support/example-answers.ts';
import { wordsOfPage } from '../support/words-of-page.ts';
import { type Outside, stubBrowser } from './browser-parts.ts';
import { nameOf } from './controls.ts';
import { SITE } from './visited-pages.ts';

/** A request that the page has sent. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
  readonly version: string | null;
}

/** What somebody sees of a page, in words. */
export interface Seen {
  readonly address: string;
  readonly page: readonly string[];
  /** The dialog on top; null if none is open. */
  readonly dialog: readonly string[] | null;
}

/** What a press has done beside what is seen. */
export interface Deeds {
  readonly sent: readonly Sent[];
  readonly said: readonly string[];
  readonly copied: readonly string[];
  readonly left: readonly string[];
}

/** They are no words, and have signs of elements in them. */
const CLASSES = / class="[^"]*"/g;
const STEP_MS = 35;
const STEPS_MAX = 40;
/** Longer than a text takes to settle, and shorter than a toast stays. */
const QUIET_STEPS = 2;

/** A page of the console in a document, with a server that answers as it is told. */
export class OpenedPage {
  readonly #queries = createQueryClient();
  readonly #router;
  readonly #root;
  readonly #sent: Sent[] = [];
  readonly #outside: Outside = { copied: [], left: [] };
  readonly #unfollow: () => void;
  /** What of the page is looked at. */
  readonly #part: string;
  #awaited = 0;

  private constructor(address: string, answer: (sent: Sent) => Response, part: string) {
    this.#part = part;
    vi.setSystemTime(ANSWERED_MS);
    const history = createMemoryHistory({ initialEntries: [address] });
    this.#router = createConsoleRouter(this.#queries, history);
    stubBrowser(this.#outside, () => new URL(history.location.href, SITE));
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      const sent = sentBy(path, init);
      this.#sent.push(sent);
      this.#awaited += 1;
      await Promise.resolve();
      this.#awaited -= 1;
      return answer(sent);
    });
    announce('');
    localStorage.clear();
    sessionStorage.clear();
    this.#unfollow = followLinks(history);
    const place = document.createElement('div');
    document.body.replaceChildren(place);
    this.#root = createRoot(place);
  }

  static async at(address: string, answer: (sent: Sent) => Response, part = 'main'): Promise<OpenedPage> {
    const opened = new OpenedPage(address, answer, part);
    await opened.#draw();
    opened.takeDeeds();
    return opened;
  }

  async #draw(): Promise<void> {
    await act(async () => {
      this.#root.render(
        <QueryClientProvider client={this.#queries}>
          <RouterProvider router={this.#router} />
        </QueryClientProvider>,
      );
      await this.#router.load();
    });
    await this.#settle();
  }

  /** Waits until the page has read and drawn all that follows. */
  async #settle(): Promise<void> {
    let quiet = 0;
    for (let step = 0; quiet < QUIET_STEPS; step += 1) {
      if (step > STEPS_MAX) throw new Error('the page does not come to rest');
      await act(async () => await vi.advanceTimersByTimeAsync(STEP_MS));
      const isBusy = this.#awaited + this.#queries.isFetching() + this.#queries.isMutating() > 0;
      quiet = isBusy || this.#router.state.status !== 'idle' ? 0 : quiet + 1;
    }
  }

  /** Does something to the page, and waits for all that follows. */
  async do(something: () => void, { waits = true } = {}): Promise<void> {
    vi.setSystemTime(ANSWERED_MS);
    await act(() => Promise.resolve(something()));
    if (waits) await this.#settle();
  }

  /** Where somebody can press now: the dialog on top, or the page. */
  get place(): Element {
    return this.dialog ?? document.querySelector(this.#part) ?? document.body;
  }

  get dialog(): Element | null {
    return [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
  }

  /** How many dialogs are open. */
  get dialogs(): number {
    return document.querySelectorAll('dialog[open]').length;
  }

  /** The changes that were sent since it was last asked what it has done. */
  get changes(): readonly Sent[] {
    return this.#sent.filter(({ method }) => method !== 'GET');
  }

  get address(): string {
    return this.#router.history.location.href;
  }

  see(): Seen {
    const { dialog, address } = this;
    const inner = dialog === null ? null : wordsIn(dialog);
    const page = document.querySelector('main') ?? document.body;
    return { address, page: wordsIn(page), dialog: inner };
  }

  /** What it has done since it was last asked. What was said is not shown any more then. */
  takeDeeds(): Deeds {
    const { toasts, spoken } = currentAnnouncements();
    const said = toasts.map(({ text, kind }) => (kind === 'done' ? text : `${kind}: ${text}`));
    const isOnlySpoken = spoken.text !== '' && !toasts.some(({ text }) => text === spoken.text);
    act(() => {
      for (const { id } of toasts) dismissToast(id);
      announce('');
    });
    return {
      sent: this.#sent.splice(0),
      said: isOnlySpoken ? [...said, spoken.text] : said,
      copied: this.#outside.copied.splice(0),
      left: this.#outside.left.splice(0),
    };
  }

  async close(): Promise<void> {
    await act(() => Promise.resolve(this.#root.unmount()));
    this.#unfollow();
    this.#queries.clear();
  }
}

function sentBy(path: string, { method = 'GET', body, headers }: RequestInit): Sent {
  return {
    method,
    url: new URL(path, SITE),
    body: typeof body === 'string' ? JSON.parse(body) : null,
    version: new Headers(headers).get('if-match'),
  };
}

/** An opening tag of a control. Attributes may have any sign in their quotes. */
const CONTROL_TAG = /<(?:option|input)\b(?:"[^"]*"|[^">])*>/g;
const CHOSEN = / (?:selected|checked)=""/;

/** The words of an element, without those of dialogs that are open in it; a dialog's own, if it is one. */
function wordsIn(element: Element): readonly string[] {
  let html = element.innerHTML;
  for (const dialog of element.querySelectorAll('dialog')) html = html.replace(dialog.outerHTML, () => '');
  // What is chosen stands in properties.
  const own = element.tagName === 'DIALOG' ? element : null;
  const controls = [...element.querySelectorAll<HTMLOptionElement | HTMLInputElement>('option, input')]
    .filter((each) => each.closest('dialog') === own)
    .values();
  return wordsOfPage(
    html.replaceAll(CONTROL_TAG, (tag) => chosenTag(tag, controls.next().value)).replaceAll(CLASSES, ''),
  )
    .trimEnd()
    .split('\n');
}

/** The tag of a control as it would be if its attributes said what is chosen. */
function chosenTag(tag: string, control: HTMLOptionElement | HTMLInputElement | undefined): string {
  if (control === undefined) return tag;
  const isOption = control instanceof HTMLOptionElement;
  const isOn = isOption ? control.selected : control.checked;
  const plain = tag.replace(CHOSEN, '').slice(0, -1);
  if (!isOn) return `${plain}>`;
  return isOption ? `${plain} selected="">` : `${plain} checked="" aria-label="${nameOf(control)}">`;
}
