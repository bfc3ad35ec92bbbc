import { type ReactNode, useState } from 'react';
import { capitalized } from '../format/capitalized.ts';
import { ResourceForm } from './resource-form.tsx';

interface Changed {
  readonly version: number;
  readonly name?: string;
  readonly warnings?: readonly string[];
}

interface ChangeSheetProps<Thing, Entry, Settings, Answer> extends Pick<
  Parameters<typeof ResourceForm<Answer>>[0],
  'reload' | 'done' | 'onClose' | 'aside'
> {
  /** What its button says, unless that is "Change" and the kind. */
  readonly action?: string;
  /** What it is: "key". */
  readonly kind: string;
  /** What it is called in sentences, unless that is its kind. */
  readonly noun?: string;
  readonly title: string;
  readonly thing: Thing;
  readonly rules: ChangeRules<Thing, Entry, Settings>;
  readonly renderFields: (props: { readonly entry: Entry; readonly onChange: (entry: Entry) => void }) => ReactNode;
  readonly commandOf: (changes: Partial<Settings>) => readonly string[];
  /** Sends the changes. */
  readonly save: (seen: Thing, changes: Partial<Settings>) => Promise<Answer>;
  /** Loads the current version after a concurrent change; undefined if the thing is gone. */
  readonly load: () => Promise<Thing | undefined>;
}

/** Changes a thing as it was when the sheet was opened. */
export function ChangeSheet<Thing, Entry extends object, Settings extends object, Answer extends Changed>({
  kind,
  noun = kind,
  thing,
  rules,
  renderFields,
  commandOf,
  save,
  load,
  ...form
}: ChangeSheetProps<Thing, Entry, Settings, Answer>): ReactNode {
  const { seen, entry, setEntry, changes, isDirty, rebase } = useChanges(thing, rules);
  const reread = async (): Promise<void> => {
    const now = await load();
    if (now === undefined) form.onClose();
    else rebase(now);
  };
  const maySend = (): boolean => {
    if (!isDirty) form.onClose();
    return isDirty;
  };
  return (
    <ResourceForm
      action={`Change ${kind}`}
      done={({ name = '', warnings = [] }) => [`${capitalized(kind)} ${name} is changed.`, ...warnings].join(' ')}
      {...form}
      dirty={isDirty}
      command={isDirty ? commandOf(changes) : null}
      maySend={maySend}
      send={() => save(seen, changes)}
      versioned={{ thing: noun, load: reread }}
    >
      {renderFields({ entry, onChange: setEntry })}
    </ResourceForm>
  );
}

interface ChangeRules<Thing, Entry, Settings> {
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
  /** The settings that differ. Unchanged ones aren't sent, so they can't undo a concurrent change. */
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
function useChanges<Thing, Entry extends object, Settings extends object>(
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
