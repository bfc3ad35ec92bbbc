import { kindOf } from './controls.ts';
import type { OpenedPage, Seen, Sent } from './opened-page.tsx';

// What followed a press, in lines: the requests, what was said, copied and gone to, and what is seen otherwise than before.

const LINES_MAX = 30;

export class PressWords {
  readonly #lines: string[] = [];
  readonly #names = new Map<string, string>();
  /** Dialogs by their titles, as they were opened last. */
  readonly #dialogs = new Map<string, readonly string[]>();

  get lines(): readonly string[] {
    return this.#lines;
  }

  say(indent: string, line: string): void {
    this.#lines.push(indent + this.#short(line));
  }

  /** What was done, and all that followed. */
  write(indent: string, deed: string, before: Seen, page: OpenedPage): void {
    this.say(indent, deed);
    this.#writeLines(`${indent}  `, this.#following(before, page));
  }

  /** What was done, if anything followed: what is seen, and where the focus has moved to. */
  writeFollowing(indent: string, deed: string, before: Seen, page: OpenedPage, moves: string | null): void {
    const following = [...this.#following(before, page), ...(moves === null ? [] : [moves])];
    if (following.length === 0) return;
    this.say(indent, deed);
    this.#writeLines(`${indent}  `, following);
  }

  #writeLines(inner: string, following: readonly string[]): void {
    const lines = together(following);
    for (const line of lines.slice(0, LINES_MAX)) this.say(inner, line);
    if (lines.length > LINES_MAX) this.say(inner, `and ${lines.length - LINES_MAX} lines more`);
  }

  /** What is seen that was not before, in one line. */
  writeAdded(indent: string, deed: string, before: Seen, page: OpenedPage): void {
    const { said } = page.takeDeeds();
    const after = page.see();
    const added = linesWithout(after.dialog ?? after.page, before.dialog ?? before.page);
    this.say(indent, `${deed}: ${[...said, ...added.filter((line) => !isAside(line))].join(' · ')}`);
  }

  /** What was sent, and the command that does the same. */
  writeSent(indent: string, deed: string, page: OpenedPage): void {
    const { sent } = page.takeDeeds();
    const { dialog, page: whole } = page.see();
    const commands = (dialog ?? whole).filter((line) => line.startsWith('faregate '));
    this.say(indent, [deed, ...sent.filter(isChange).map(lineOfChange), ...commands].join(' · '));
  }

  #following(before: Seen, page: OpenedPage): readonly string[] {
    const { sent, said, copied, left } = page.takeDeeds();
    const after = page.see();
    const isElsewhere = pathOf(before) !== pathOf(after);
    const reads = isElsewhere ? [] : sent.filter((each) => !isChange(each)).map(({ url }) => shortUrl(url));
    return [
      ...sent.filter(isChange).map(lineOfChange),
      ...said.map((text) => `says “${text}”`),
      ...copied.map((text) => `copies “${text}”`),
      ...left.map((href) => `leaves for ${href}`),
      ...(before.address === after.address ? [] : [`goes to ${after.address}`]),
      ...(reads.length === 0 ? [] : [`reads ${[...new Set(reads)].toSorted().join(' ')}`]),
      ...(isElsewhere ? [] : this.#ofDialog(before, after).map((line) => `| ${line}`)),
      // What an address shows is looked at there.
      ...(before.address === after.address ? difference(before.page, after.page) : []),
    ];
  }

  /** What is seen otherwise in the dialog on top, or of another one that is on top now. */
  #ofDialog({ dialog: before }: Seen, { dialog: after }: Seen): readonly string[] {
    if (after === null) return before === null ? [] : ['the dialog closes'];
    const [title = ''] = after;
    if (before?.[0] === title) return difference(before, after);
    const known = this.#dialogs.get(kindOf(title));
    this.#dialogs.set(kindOf(title), after);
    return known === undefined ? after.filter((line) => !isAside(line)) : [title, ...difference(known, after)];
  }

  /** Ids and random names are written short, and a text in one line. */
  #short(text: string): string {
    return text
      .replaceAll('\n', ' ⏎ ')
      .replaceAll(/0199a9a2-0000-7000-8000-0*(\d+)/g, '#$1')
      .replaceAll(/\bdatetime=\S+ /g, '')
      .replaceAll(/\b[0-9a-f]{32}\b/g, (name) => {
        const known = this.#names.get(name) ?? `name-${this.#names.size + 1}`;
        this.#names.set(name, known);
        return known;
      });
  }
}

export const pathOf = ({ address }: Pick<Seen, 'address'>): string => address.replace(/\?.*/, '');

const isChange = ({ method }: Sent): boolean => method !== 'GET';

function lineOfChange({ method, url, body, version }: Sent): string {
  const parts = [body === null ? '' : JSON.stringify(body), version === null ? '' : `if-match ${version}`];
  return ['sends', method, shortUrl(url), ...parts.filter((part) => part !== '')].join(' ');
}

const shortUrl = ({ pathname, search }: URL): string =>
  pathname.replace('/admin/v1', '').replace('/workspaces/w', '~') + decodeURIComponent(search);

/** Equal lines that follow each other as one. */
function together(lines: readonly string[]): readonly string[] {
  const runs: { readonly line: string; times: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.line === line) last.times += 1;
    else runs.push({ line, times: 1 });
  }
  return runs.map(({ line, times }) => (times === 1 ? line : `${line} (${times} times)`));
}

/** Words that say nothing of their own: what repeats a name, and options that are not chosen. */
const isAside = (line: string): boolean =>
  line.startsWith('[role=tooltip]') || (line.startsWith('option[') && !line.includes('selected]'));

function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  const gone = linesWithout(before, after).filter((line) => !line.startsWith('option[') && !isAside(line));
  const added = linesWithout(after, before).filter((line) => !isAside(line));
  return [...gone.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
}

/** The lines of one that the other has not, as often as they stand there. */
export function linesWithout(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return one.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
