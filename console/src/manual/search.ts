// The search of the manual. The pages are whole without it: it shows the field, and loads the index when somebody types. The
// build strips its types and serves it as it is.

type Entry = readonly [address: string, title: string, heading: string, excerpt: string, words: string];

const MOST = 12;
const INDEX: string = '/docs/search-index.js';

let index: readonly Entry[] | null = null;

/** How well a section fits: each word must begin one of its words; words of headings count more. Null: it doesn't. */
function scoreOf([, title, heading, , words]: Entry, wanted: readonly string[]): number | null {
  let sum = 0;
  for (const word of wanted) {
    if (heading.toLowerCase().includes(word)) sum += 8;
    else if (title.toLowerCase().includes(word)) sum += 4;
    else if (` ${words}`.includes(` ${word}`)) sum += 1;
    else return null;
  }
  return sum;
}

function itemOf([address, title, heading, excerpt]: Entry): HTMLElement {
  const link = document.createElement('a');
  const name = document.createElement('strong');
  const text = document.createElement('span');
  link.href = address;
  name.textContent = heading === title ? title : `${title}: ${heading}`;
  text.textContent = excerpt;
  link.append(name, text);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function noneFound(): HTMLElement {
  const item = document.createElement('li');
  item.textContent = 'No section has all of these words.';
  return item;
}

async function find(asked: string): Promise<readonly HTMLElement[]> {
  const wanted = asked.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  index ??= ((await import(INDEX)) as { readonly default: readonly Entry[] }).default;
  if (wanted.length === 0) return [];
  const scored = index.flatMap((entry) => {
    const score = scoreOf(entry, wanted);
    return score === null ? [] : [{ score, entry }];
  });
  const best = scored.toSorted((left, right) => right.score - left.score).slice(0, MOST);
  return best.length === 0 ? [noneFound()] : best.map(({ entry }) => itemOf(entry));
}

const search = document.querySelector<HTMLElement>('search');
const field = document.querySelector<HTMLInputElement>('search input');
const found = document.querySelector<HTMLElement>('#found');

if (search !== null && field !== null && found !== null) {
  const show = async (): Promise<void> => {
    const asked = field.value;
    const items = await find(asked);
    if (field.value === asked) found.replaceChildren(...items);
  };
  search.hidden = false;
  field.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape' && document.activeElement === field) {
      field.value = '';
      found.replaceChildren();
    }
  });
}
