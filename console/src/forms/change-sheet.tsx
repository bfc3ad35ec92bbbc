import type { ReactNode } from 'react';
import { ResourceForm } from './resource-form.tsx';
import { type ChangeRules, useChanges } from './use-changes.ts';

interface Changed {
  readonly version: number;
  readonly name?: string;
  readonly warnings?: readonly string[];
}

interface ChangeSheetProps<Thing, Entry, Settings, Answer> extends Pick<
  Parameters<typeof ResourceForm<Answer>>[0],
  'params' | 'reload' | 'done' | 'onClose' | 'aside'
> {
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
  /** The thing as it is, after somebody else has changed it; undefined if it is gone. */
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
      done={({ name = '', warnings = [] }) =>
        [`${kind.replace(/^./, (first) => first.toUpperCase())} ${name} is changed.`, ...warnings].join(' ')
      }
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
