import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SettingsJson, SettingTable } from '../../../src/control/resources/setting.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { CommandLine } from '../components/command-line.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { entryOf, type SentSettings, settingsOf } from './setting-entry.ts';
import { SettingField } from './setting-field.tsx';

interface SettingChangeProps<Table extends SettingTable, Thing> {
  /** What it is: "member". */
  readonly kind: string;
  /** The words on the button: "Change limit". */
  readonly action: string;
  readonly table: Table;
  readonly property: keyof Table & string;
  /** Settings that are changed together with it. */
  readonly further?: readonly (keyof Table & string)[];
  readonly thing: Thing;
  /** What the field begins with instead of how the thing is. */
  readonly proposed?: string | undefined;
  readonly unavailable: string | null;
  readonly commandOf: (changes: SentSettings<Table>) => readonly string[];
  readonly save: (seen: Thing, changes: SentSettings<Table>) => Promise<Thing>;
  /** Loads the current version after a concurrent change. */
  readonly load: () => Promise<Thing>;
  readonly done: (changed: Thing) => string;
  readonly onDone?: () => void;
  /** The key of what is read again. */
  readonly reload: readonly unknown[];
}

/** Changes one setting in the page, with its own button. */
export function SettingChange<Table extends SettingTable, Thing extends SettingsJson<Table>>({
  kind,
  action,
  table,
  property,
  further,
  proposed,
  unavailable,
  commandOf,
  save,
  load,
  done,
  onDone,
  reload,
  ...props
}: SettingChangeProps<Table, Thing>): ReactNode {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(props.thing);
  const [entry, setEntry] = useState(() => {
    const shown = entryOf(table, seen);
    return proposed === undefined ? shown : { ...shown, [property]: proposed };
  });
  const changes = settingsOf(table, entry);
  const isDirty = JSON.stringify(changes) !== JSON.stringify(settingsOf(table, entryOf(table, seen)));
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => save(seen, changes),
    onSuccess: async (changed) => {
      setSeen(changed);
      setEntry(entryOf(table, changed));
      showToast(done(changed));
      onDone?.();
      await queries.invalidateQueries({ queryKey: reload });
    },
  });
  const rebase = async (): Promise<void> => {
    setSeen(await load());
    reset();
  };
  return (
    <InlineForm
      className="flex max-w-lg flex-col items-start gap-4"
      error={error}
      onSubmit={() => isDirty && unavailable === null && mutate()}
    >
      {[property, ...(further ?? [])].map((each) => (
        <div key={each} className="w-full">
          <SettingField table={table} property={each} entry={entry} onChange={setEntry} />
        </div>
      ))}
      {isVersionConflict(error) ? <VersionConflict thing={kind} onLoad={rebase} /> : <FormProblem />}
      <Button type="submit" busy={isPending} unavailable={unavailable ?? (isDirty ? null : 'It is unchanged.')}>
        {action}
      </Button>
      {isDirty && (
        <div className="w-full">
          <CommandLine command={commandOf(changes)} />
        </div>
      )}
    </InlineForm>
  );
}
