import { useMutation } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { isVersionConflict } from '../api/api-error.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import { Sheet } from '../ui/sheet.tsx';
import { type ChangeRules, useChanges } from './use-changes.ts';
import { FormFrame } from './form-frame.tsx';

interface FieldsProps<Entry> {
  readonly entry: Entry;
  readonly onChange: (entry: Entry) => void;
  readonly error: Error | null;
}

interface ChangeSheetProps<Thing, Entry, Settings> {
  /** What it is: "key". */
  readonly kind: string;
  readonly thing: Thing;
  readonly rules: ChangeRules<Thing, Entry, Settings>;
  readonly fields: (props: FieldsProps<Entry>) => ReactNode;
  /** The parameters whose fields say themselves what is wrong with them. */
  readonly params: readonly string[];
  readonly commandOf: (changes: Partial<Settings>) => readonly string[];
  /** Sends the changes. */
  readonly save: (
    seen: Thing,
    changes: Partial<Settings>,
  ) => Promise<{ readonly name: string; readonly warnings: readonly string[] }>;
  readonly onSaved: () => Promise<void>;
  /** The thing as it is, after somebody else has changed it. */
  readonly load: () => Promise<Thing>;
  readonly onClose: () => void;
}

/** Changes a thing as it was when the sheet was opened. */
export function ChangeSheet<Thing extends { readonly name: string }, Entry extends object, Settings extends object>({
  kind,
  thing,
  rules,
  fields: Fields,
  params,
  commandOf,
  save,
  onSaved,
  load,
  onClose,
}: ChangeSheetProps<Thing, Entry, Settings>): ReactNode {
  const { seen, entry, setEntry, changes, isDirty, rebase } = useChanges(thing, rules);
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => save(seen, changes),
    onSuccess: async ({ name, warnings }) => {
      showToast([`${kind.replace(/^./, (first) => first.toUpperCase())} ${name} is changed.`, ...warnings].join(' '));
      await onSaved();
      onClose();
    },
  });
  const reload = async (): Promise<void> => {
    rebase(await load());
    reset();
  };
  return (
    <FormFrame
      frame={Sheet}
      title={`Change ${thing.name}`}
      onClose={onClose}
      dirty={isDirty}
      action={`Change ${kind}`}
      busy={isPending}
      onSubmit={() => {
        if (isDirty) mutate();
        else onClose();
      }}
    >
      <Fields entry={entry} onChange={setEntry} error={error} />
      {isVersionConflict(error) ? (
        <VersionConflict thing={kind} onLoad={reload} />
      ) : (
        <ProblemPanel error={error} except={params} />
      )}
      {isDirty && <CommandLine command={commandOf(changes)} />}
    </FormFrame>
  );
}
