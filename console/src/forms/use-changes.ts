import { useState } from 'react';

export interface ChangeRules<Thing, Entry, Settings> {
  /** What the form shows of the thing. */
  readonly entryOf: (thing: Thing) => Entry;
  /** What is sent for what was typed. */
  readonly settingsOf: (entry: Entry) => Settings;
  /** What the form begins with instead of how the thing is. */
  readonly proposed?: Partial<Entry>;
}

interface Changes<Thing, Entry, Settings> {
  /** The thing that the changes are made to. */
  readonly seen: Thing;
  readonly entry: Entry;
  readonly setEntry: (entry: Entry) => void;
  /** The settings that differ. What stays as it was isn't sent, so it can't undo somebody else's change. */
  readonly changes: Partial<Settings>;
  readonly isDirty: boolean;
  /** Takes the thing as it is now as the ground for what was typed. */
  readonly rebase: (now: Thing) => void;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function differing<Fields extends object>(former: Fields, fields: Fields): Partial<Fields> {
  const before = new Map<string, unknown>(Object.entries(former));
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isSame(value, before.get(name))),
  ) as Partial<Fields>;
}

/** What a form changes of a thing, as it was when the form was opened. */
export function useChanges<Thing, Entry extends object, Settings extends object>(
  thing: Thing,
  { entryOf, settingsOf, proposed = {} }: ChangeRules<Thing, Entry, Settings>,
): Changes<Thing, Entry, Settings> {
  const [seen, setSeen] = useState(thing);
  const [entry, setEntry] = useState(() => ({ ...entryOf(thing), ...proposed }));
  const changes = differing(settingsOf(entryOf(seen)), settingsOf(entry));
  const rebase = (now: Thing): void => {
    setSeen(now);
    setEntry({ ...entryOf(now), ...differing(entryOf(seen), entry) });
  };
  return { seen, entry, setEntry, changes, isDirty: Object.keys(changes).length > 0, rebase };
}
