// What somebody finds to press, to choose and to fill in on a page, and how they do it.

/** Something that can be pressed or chosen, and what it is called. */
export interface Control {
  readonly element: Element;
  readonly name: string;
  readonly press: () => void;
  /** How it is undone on the page that has followed; null: in no way of its own. */
  readonly undo?: Control | null;
}

type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What says that it cannot be pressed. */
export const OUT_OF_REACH = '[aria-disabled="true"]';
const BUTTONS = 'button, [role^="menuitem"], [role="option"], summary';
const FIELDS = 'input:not([type="hidden"]), textarea, select';
/** What ends a dialog, or sends it. */
const ENDS = /^(Cancel|Close|Keep editing|Discard|I have saved it|Copy as command)$/;

const UNREAD = '[role="tooltip"], [aria-hidden="true"]';

/** Text as it is read: without tooltips, which repeat a name or explain it. */
const textOf = (element: Element): string => readText(element).replaceAll(/\s+/g, ' ').trim();

function readText(element: Element): string {
  return Array.from(element.childNodes, (node) => {
    if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '';
    return node.matches(UNREAD) ? '' : readText(node);
  }).join('');
}

export function nameOf(element: Element): string {
  const own = element.getAttribute('aria-label') ?? '';
  if (own !== '') return own;
  if (!element.matches(FIELDS)) return textOf(element);
  const label = element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`);
  const words = label ?? element.closest('label');
  const legend = element.closest('fieldset')?.querySelector('legend');
  const name = words === null ? (element.getAttribute('placeholder') ?? element.tagName) : textOf(words);
  return legend === null || legend === undefined ? name : `${textOf(legend)}: ${name}`;
}

/** Controls of rows are alike: the first of them stands for all. */
export const kindOf = (name: string): string => name.replaceAll(/\d+/g, '#');

function firstOfEach<Item>(items: readonly Item[], kindOfItem: (item: Item) => string): readonly Item[] {
  return [...Map.groupBy(items, kindOfItem).values()].flatMap((alike) => alike.slice(0, 1));
}

const own = (place: Element, selector: string): readonly HTMLElement[] =>
  [...place.querySelectorAll<HTMLElement>(selector)].filter(
    (each) => each.closest('dialog') === place.closest('dialog') && !each.matches(OUT_OF_REACH),
  );

/** One kind for the rows of a table or list, whatever they are called. */
const rowsAlike = (button: Element): string =>
  button.hasAttribute('data-row-link')
    ? `row of ${button.closest('table, ul')?.getAttribute('aria-label') ?? ''}`
    : kindOf(nameOf(button));

interface ReactProps {
  readonly onClick?: unknown;
  readonly onKeyDown?: unknown;
}

const propsOf = (element: Element): ReactProps | undefined =>
  Object.entries(element).find(([name]) => name.startsWith('__reactProps'))?.[1] as ReactProps | undefined;

/** Whether React does something of the page's own when a link is pressed. */
const hasAction = (link: Element): boolean => propsOf(link)?.onClick !== undefined;

/** What can be pressed at a place, and chosen outside of forms; what closes a dialog or sends a form is not among it. */
export function controlsOf(place: Element): readonly Control[] {
  const isSubmit = (each: Element): boolean => each.getAttribute('type') === 'submit';
  const buttons = own(place, `${BUTTONS}, a`)
    .filter((each) => each.tagName !== 'A' || hasAction(each) || each.hasAttribute('role'))
    .filter(
      (each) =>
        !isSubmit(each) &&
        !(ENDS.test(nameOf(each)) && each.closest('dialog') !== null) &&
        !each.hasAttribute('aria-haspopup'),
    );
  const choices = fieldsOf(place).filter((each) => each.closest('form') === null);
  return firstOfEach([...firstOfEach(buttons, rowsAlike).map(pressOf), ...choices.flatMap(choicesOf)], ({ name }) =>
    kindOf(name),
  );
}

const OPTIONS_SHOWN = 1;

/** What a field outside of a form can be set to. */
function choicesOf(field: FieldElement): readonly Control[] {
  const name = nameOf(field);
  if (field instanceof HTMLSelectElement) {
    const others = [...field.options].filter((each) => !each.selected && !each.disabled).slice(-OPTIONS_SHOWN);
    const now = field.value;
    const undo = {
      element: field,
      name: `${name}: ${field.selectedOptions[0]?.text ?? ''}`,
      press: () => set(field, now),
    };
    return others.map((each) => ({ ...choiceOf(field, name, each), undo }));
  }
  if (isSwitch(field)) return field.checked ? [] : [pressOf(field)];
  const value = madeValue(field);
  const undo = { element: field, name: `${name}, emptied`, press: () => set(field, '') };
  return [{ element: field, name: `${name}: ${value}`, press: () => set(field, value), undo }];
}

const choiceOf = (field: HTMLSelectElement, name: string, { text, value }: HTMLOptionElement): Control => ({
  element: field,
  name: `${name}: ${text}`,
  press: () => set(field, value),
});

/** What can be on or off, or sorts up or down, is pressed again. */
export function pressOf(element: HTMLElement): Control {
  const press = { element, name: nameOf(element), press: () => element.click() };
  const turns = element.matches('[aria-pressed], [role="switch"], [type="checkbox"], th[aria-sort] *');
  return { ...press, undo: turns ? { ...press, name: `${press.name}, again` } : null };
}

/** What reads keys, and the keys that are pressed in it, one after the other. */
interface KeyReader extends Pick<Control, 'element' | 'name'> {
  readonly keys: readonly string[];
}

const CHART_KEYS = ['Shift+ArrowLeft', 'Enter', 'Escape', 't'];

/**
 * What reads keys at a place: charts, fields, and last the page as a whole. Tabs, menus and dialogs have tests of their own: they do the
 * same on every page.
 */
export function keyReaders(place: Element): readonly KeyReader[] {
  const charts = own(place, 'figure').map((chart) => ({
    element: chart.querySelector('input') ?? chart,
    name: nameOf(chart),
    keys: CHART_KEYS,
  }));
  const fields = fieldsOf(place)
    .filter((field) => propsOf(field)?.onKeyDown !== undefined && field.type !== 'range')
    .map((element) => ({ element, name: nameOf(element), keys: ['Enter'] }));
  const keys = [
    ...(place.querySelector('[aria-keyshortcuts="/"]') === null ? [] : ['/']),
    ...(place.querySelector('[data-row-link]') === null ? [] : ['j', 'j', 'k']),
  ];
  const page = { element: document.body, name: 'the page', keys };
  return [...firstOfEach([...charts, ...fields], ({ name }) => kindOf(name)), page];
}

export const isTyped = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.type !== 'range' && !isSwitch(element);

/** Presses a key alone, or with another one: "Shift+ArrowLeft". */
export function pressKey(element: Element, keys: string): void {
  const [key = '', ...held] = keys.split('+').toReversed();
  const [shiftKey, ctrlKey] = [held.includes('Shift'), held.includes('Control')];
  element.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, ctrlKey, bubbles: true, cancelable: true }));
}

/** The button that closes a dialog without its action. */
export function closingButton(dialog: Element): HTMLElement | null {
  return own(dialog, 'button').find((each) => nameOf(each) === 'Close') ?? null;
}

export function buttonCalled(place: Element, name: RegExp): HTMLElement | null {
  return own(place, 'button').find((each) => name.test(nameOf(each))) ?? null;
}

/** The forms at a place, and the button that sends each. */
export function formsOf(place: Element): readonly { readonly form: HTMLFormElement; readonly button: HTMLElement }[] {
  return (own(place, 'form') as readonly HTMLFormElement[]).flatMap((form) => {
    const inside = own(form, 'button[type="submit"]')[0];
    const button = inside ?? (form.id === '' ? null : document.querySelector<HTMLElement>(`button[form="${form.id}"]`));
    return button ? [{ form, button }] : [];
  });
}

const isSwitch = (field: FieldElement): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type);

/** Gives a field a value as typing and choosing do. */
export function set(field: FieldElement, value: string): void {
  const kind = Object.getPrototypeOf(field) as object;
  field.focus();
  // React has put a setter of its own before that of the element.
  Object.getOwnPropertyDescriptor(kind, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  field.blur();
}

export function fieldsOf(form: Element | undefined): readonly FieldElement[] {
  return form === undefined ? [] : (own(form, FIELDS) as readonly FieldElement[]).filter((each) => !each.disabled);
}

/** Fills a field with what fits it, and returns what was done in words. Without `chooses`, choices stay as they are. */
export function fill(field: FieldElement, { chooses }: { readonly chooses: boolean }): string | null {
  const name = nameOf(field);
  if (field instanceof HTMLSelectElement) {
    const last = [...field.options].findLast((each) => !each.disabled && each.value !== '');
    const stays = !chooses && field.value !== '';
    if (last === undefined || last.selected || stays) return null;
    set(field, last.value);
    return `${name}: ${last.text}`;
  }
  if (isSwitch(field)) {
    const isOther = field.type === 'radio' && groupOf(field).at(-1) !== field;
    if (field.checked || isOther || !chooses) return null;
    field.click();
    return name;
  }
  const value = madeValue(field);
  if (field.value === value) return null;
  set(field, value);
  return `${name}: ${value}`;
}

/** The buttons of a group that can be chosen, or the one that has no group. */
function groupOf(one: HTMLInputElement): readonly HTMLInputElement[] {
  const group = one.closest('fieldset');
  return group === null ? [one] : (own(group, `input[type="${one.type}"]`) as readonly HTMLInputElement[]);
}

const VARIANTS_MAX = 12;

/** The choices of a form that the program knows beforehand, each with what it is called. */
export function variantsOf(form: Element | undefined): readonly Control[] {
  return fieldsOf(form).flatMap((field): readonly Control[] => {
    const name = nameOf(field);
    if (field instanceof HTMLSelectElement) {
      const options = [...field.options].filter((each) => each.value !== '');
      if (options.length > VARIANTS_MAX || options.some(({ value }) => /^0199a9a2|\d{4}/.test(value))) return [];
      return options.map((each) => choiceOf(field, name, each));
    }
    // The first of a group of checkboxes stands for all.
    if (!isSwitch(field) || (field.type === 'checkbox' && groupOf(field)[0] !== field)) return [];
    return [field.type === 'radio' ? pressOf(field) : { ...pressOf(field), name: `${name} the other way` }];
  });
}

const BY_TYPE: Readonly<Record<string, string>> = {
  email: 'someone@example.com',
  password: 'correct horse battery',
  url: 'https://example.com/hook',
  number: '7',
  search: 'typed',
  range: '1',
};
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/metadata/i, 'team=search'],
  [/models/i, 'acme/one\nacme/*'],
  [/^code/i, '123456'],
  [/url|address/i, 'https://example.com/hook'],
];

export function madeValue(field: HTMLInputElement | HTMLTextAreaElement): string {
  const name = nameOf(field);
  const typed = /^Type (.+) to confirm$/.exec(name)?.[1];
  if (typed !== undefined) return typed;
  const { type, inputMode } = field;
  if (type === 'date') return field.getAttribute('min') ?? '2026-04-01';
  if (type === 'month') return '2026-02';
  const known = BY_TYPE[type] ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  if (known !== undefined) return known;
  if (inputMode === 'decimal') return '12.50';
  if (inputMode === 'numeric') return '7';
  return `typed ${name.replace(/ \(optional\)$/, '').toLowerCase()}`;
}
