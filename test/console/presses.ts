import {
  buttonCalled,
  closingButton,
  type Control,
  controlsOf,
  fieldsOf,
  fill,
  formsOf,
  isTyped,
  keyReaders,
  kindOf,
  madeValue,
  nameOf,
  pressKey,
  pressOf,
  set,
  variantsOf,
} from './controls.ts';
import type { OpenedPage, Seen, Sent } from './opened-page.tsx';
import { pathOf, PressWords } from './press-words.ts';

// Presses everything on a page, and writes down what follows.

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The field that it is about. */
  readonly param: string | null;
}

/** A page that can be opened again as it was, and whose server refuses changes when it is told to. */
export interface Stage {
  open(): Promise<OpenedPage>;
  /** How changes are refused; null: they aren't. */
  refusal: Refusal | null;
}

/** A way to the place that is looked at: a page, or a dialog that a press has opened. */
type Way = () => Promise<OpenedPage>;

const CONFLICT: Refusal = { status: 409, code: 'CONFLICT', message: 'It is refused.', param: null };
const CHANGED: Refusal = { status: 412, code: 'PRECONDITION_FAILED', message: 'It has changed.', param: null };
const wrong = (param: string): Refusal => ({
  status: 400,
  code: 'INVALID_VALUE',
  message: `${param} is wrong.`,
  param,
});

/** The lines of a page on which everything is pressed, dialogs that open included. */
export async function pressesOf(stage: Stage): Promise<readonly string[]> {
  const words = new PressWords();
  const page = await new Presses(stage, words).at(() => stage.open(), '');
  await page.close();
  return words.lines;
}

class Presses {
  readonly #stage: Stage;
  readonly #words: PressWords;
  readonly #dialogs = new Set<string>();

  constructor(stage: Stage, words: PressWords) {
    this.#stage = stage;
    this.#words = words;
  }

  /** Presses every control at a place, and fills in and sends its forms. Resolves with the page as it is then. */
  async at(way: Way, indent: string): Promise<OpenedPage> {
    let page = await way();
    const start = page.see();
    const dialogsAtStart = page.dialogs;
    let controls = controlsOf(page.place);
    const back = async (): Promise<void> => {
      if (!isSame(page.see(), start)) {
        await page.close();
        page = await way();
      }
      if (!controls.every(({ element }) => element.isConnected)) controls = controlsOf(page.place);
    };
    for (const { name } of controls) {
      await back();
      const control = controls.find((each) => each.name === name);
      if (control === undefined) continue;
      const dialogs = page.dialogs;
      await this.#press(page, control, indent);
      const isOpened = page.dialogs > dialogs && pathOf(page.see()) === pathOf(start);
      if (isOpened && this.#isNew(page))
        page = await this.at(
          first(page, () => pressed(way, name)),
          `${indent}  `,
        );
    }
    for (const { name, keys } of keyReaders(page.place)) {
      await back();
      for (const key of keys) {
        if (pathOf(page) !== pathOf(start) || page.dialogs !== dialogsAtStart) await back();
        await this.#key(page, name, key, indent);
      }
      await this.#leave(page, name, indent);
    }
    await back();
    for (const at of formsOf(page.place).keys()) {
      await back();
      page = await this.#form(page, at, way, indent);
    }
    return page;
  }

  /** Whether no dialog like the one that is open was looked at before. */
  #isNew(page: OpenedPage): boolean {
    const title = kindOf(page.dialog?.querySelector('h2')?.textContent ?? '');
    const isNew = !this.#dialogs.has(title);
    this.#dialogs.add(title);
    return isNew;
  }

  async #press(page: OpenedPage, { name, press, undo = null }: Control, indent: string): Promise<void> {
    const before = page.see();
    await page.do(press);
    this.#words.write(indent, `Press “${name}”`, before, page);
    if (undo !== null && undo.element.isConnected) await this.#press(page, undo, indent);
  }

  /** Presses a key in what is called so, and writes what follows, if anything does. A field has a text then. */
  async #key(page: OpenedPage, name: string, key: string, indent: string): Promise<void> {
    const reader = keyReaders(page.place).find((each) => each.name === name)?.element;
    if (reader === undefined) return;
    const isField = isTyped(reader);
    if (isField) await page.do(() => set(reader, madeValue(reader)));
    if (reader instanceof HTMLElement && !reader.contains(document.activeElement)) reader.focus();
    const before = page.see();
    const focused = document.activeElement;
    const target = focused !== null && reader.contains(focused) ? focused : reader;
    await page.do(() => pressKey(target, key));
    const now = document.activeElement;
    const moves = now === focused || now === null || now === document.body ? null : `the focus is on “${nameOf(now)}”`;
    this.#words.writeFollowing(indent, `Key ${key} in “${name}”`, before, page, moves);
    if (!isField || !reader.isConnected) return;
    const then = page.see();
    await page.do(() => set(reader, `${reader.value}s`));
    this.#words.writeFollowing(indent, 'Type on', then, page, null);
  }

  /** Takes the focus from what has had keys. */
  async #leave(page: OpenedPage, name: string, indent: string): Promise<void> {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return;
    const before = page.see();
    await page.do(() => focused.blur());
    this.#words.writeFollowing(indent, `Leave “${name}”`, before, page, null);
  }

  /** Fills and sends a form: refused in each way first, then as it should be. */
  async #form(start: OpenedPage, at: number, way: Way, indent: string): Promise<OpenedPage> {
    await this.#fill(start, at, indent);
    const page = await this.#tryToLeave(start, at, way, indent);
    const filled = page.see();
    const sent = await this.#send(page, at, CONFLICT, indent);
    if (sent === null) return page;
    for (const param of Object.keys((sent.body as object | null) ?? {})) {
      await this.#sendRefused(page, at, wrong(param));
      this.#words.writeAdded(indent, `Refused for ${param}`, filled, page);
    }
    await this.#variants(page, at, indent);
    if (sent.version !== null) {
      await this.#send(page, at, CHANGED, indent);
      const load = buttonCalled(page.place, /^Load their/);
      if (load !== null) await this.#press(page, pressOf(load), indent);
    }
    await this.#send(page, at, null, indent);
    const done = page.dialog === null ? null : buttonCalled(page.dialog, /^I have saved it$/);
    if (done !== null) await this.#press(page, pressOf(done), indent);
    return page;
  }

  async #fill(page: OpenedPage, at: number, indent: string): Promise<void> {
    const before = page.see();
    const filled = await fillForm(page, at);
    if (filled.length > 0) this.#words.write(indent, `Fill in ${filled.join(' · ')}`, before, page);
  }

  /** A dialog in which something was typed asks before it closes. */
  async #tryToLeave(page: OpenedPage, at: number, way: Way, indent: string): Promise<OpenedPage> {
    const form = formsOf(page.place)[at]?.form;
    const close = page.dialog === null ? null : closingButton(page.dialog);
    if (close === null || form === undefined || fieldsOf(form).length === 0) return page;
    await page.do(() => close.click());
    const keep = buttonCalled(page.place, /^Keep editing$/);
    page.takeDeeds();
    if (keep !== null) {
      this.#words.say(indent, 'Asks before it closes');
      await page.do(() => keep.click());
      return page;
    }
    this.#words.say(indent, 'Closes without asking');
    await page.close();
    const again = await way();
    await fillForm(again, at);
    again.takeDeeds();
    return again;
  }

  /** What is sent for each choice that a form offers. */
  async #variants(page: OpenedPage, at: number, indent: string): Promise<void> {
    const form = (): HTMLFormElement | undefined => formsOf(page.place)[at]?.form;
    for (const { name } of variantsOf(form())) {
      await page.do(() =>
        variantsOf(form())
          .find((each) => each.name === name)
          ?.press(),
      );
      await fillForm(page, at, { chooses: false });
      await this.#sendRefused(page, at, CONFLICT);
      this.#words.writeSent(indent, `With ${name}`, page);
    }
    await fillForm(page, at);
    page.takeDeeds();
  }

  /** Sends a form, and returns the change that it sent. */
  async #send(page: OpenedPage, at: number, refusal: Refusal | null, indent: string): Promise<Sent | null> {
    const before = page.see();
    const name = formsOf(page.place)[at]?.button.textContent ?? '';
    const sent = await this.#sendRefused(page, at, refusal);
    this.#words.write(
      indent,
      `Send “${name}”${refusal === null ? '' : `, refused by ${refusal.status}`}`,
      before,
      page,
    );
    return sent;
  }

  async #sendRefused(page: OpenedPage, at: number, refusal: Refusal | null): Promise<Sent | null> {
    this.#stage.refusal = refusal;
    await page.do(() => formsOf(page.place)[at]?.button.click());
    this.#stage.refusal = null;
    return page.changes.at(-1) ?? null;
  }
}

const isSame = (one: Seen, other: Seen): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A way that leads to a page that is open there, once. */
function first(page: OpenedPage, way: Way): Way {
  let isThere = true;
  return async () => {
    if (!isThere) return await way();
    isThere = false;
    return page;
  };
}

async function pressed(way: Way, name: string): Promise<OpenedPage> {
  const page = await way();
  const control = controlsOf(page.place).find((each) => each.name === name);
  if (control === undefined) throw new Error(`“${name}” is gone`);
  await page.do(control.press);
  page.takeDeeds();
  return page;
}

/** Fills in all fields of a form, those too that others bring; returns what was done, in words. */
async function fillForm(page: OpenedPage, at: number, { chooses = true } = {}): Promise<readonly string[]> {
  const done = new Set<Element>();
  const words: string[] = [];
  for (;;) {
    const field = fieldsOf(formsOf(page.place)[at]?.form).find((each) => !done.has(each));
    if (field === undefined) return words;
    done.add(field);
    let word: string | null = null;
    const write = (): void => {
      word = fill(field, { chooses });
    };
    await page.do(write, { waits: false });
    if (word !== null) words.push(word);
  }
}
