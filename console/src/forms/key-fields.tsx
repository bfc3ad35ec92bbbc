import { type ReactNode, useState } from 'react';
import type { KeyJson, KeyUpdate } from '../../../src/admin/accounts/account-contract.ts';
import { problemOf } from '../api/api-error.ts';
import { addDays, dayOf, startOf } from '../format/day.ts';
import { readMoney } from '../format/money-entry.ts';
import { DateInput } from '../ui/date-input.tsx';
import { Field } from '../ui/field.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** What somebody typed about a key. */
export interface KeyEntry {
  readonly name: string;
  readonly limit: string;
  /** A model to a line. */
  readonly models: string;
  /** A day of UTC, or empty. */
  readonly expires: string;
  /** A note to a line, such as "team=search". */
  readonly notes: string;
}

const NEW_KEY: KeyEntry = { name: '', limit: '', models: '', expires: '', notes: '' };

/** What the form shows at first: the key as it is, or nothing. */
export function keyEntryOf(key: KeyJson | null): KeyEntry {
  if (key === null) return NEW_KEY;
  return {
    name: key.name,
    limit: key.spend_limit_usd ?? '',
    models: key.models?.join('\n') ?? '',
    expires: key.expires_at === null ? '' : dayOf(new Date(key.expires_at)),
    notes: Object.entries(key.metadata)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  };
}

function notesOf(typed: string): Readonly<Record<string, string>> {
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  );
}

/** What is sent: an empty field is no limit. An amount that can't be read goes as it is, and comes back with what would be right. */
export function keySettingsOf(entry: KeyEntry): KeyUpdate & { readonly name: string } {
  const limit = readMoney(entry.limit);
  const models = entry.models.split(/[\s,]+/).filter((id) => id !== '');
  return {
    name: entry.name.trim(),
    spend_limit_usd: entry.limit.trim() === '' ? null : limit.ok ? limit.usd : entry.limit,
    models: models.length === 0 ? null : models,
    expires_at: entry.expires === '' ? null : startOf(entry.expires).toISOString(),
    metadata: notesOf(entry.notes),
  };
}

/** The fields that say themselves what is wrong with them. */
export const KEY_PARAMS = ['name', 'spend_limit_usd', 'models', 'expires_at', 'metadata'];

/** A field of its own section, below a hairline. */
function Group({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="border-t border-line pt-4">{children}</div>;
}

interface KeyFieldsProps {
  readonly entry: KeyEntry;
  readonly onChange: (entry: KeyEntry) => void;
  readonly error: Error | null;
  /** Below the name, where a new key chooses its project. */
  readonly children?: ReactNode;
}

export function KeyFields({ entry, onChange, error, children }: KeyFieldsProps): ReactNode {
  const [tomorrow] = useState(() => addDays(dayOf(new Date()), 1));
  const set = (field: keyof KeyEntry) => (value: string) => onChange({ ...entry, [field]: value });
  return (
    <>
      <Field label="Name" help="What calls with it: “search service”." error={problemOf(error, 'name')}>
        <TextInput value={entry.name} onChange={set('name')} required maxLength={100} autoComplete="off" />
      </Field>
      {children}
      <Group>
        <Field
          label="Spend limit a month"
          help="It resets on the first of each month, UTC. Empty: only its project's budget and the credit limit it."
          error={problemOf(error, 'spend_limit_usd')}
          optional
        >
          <MoneyInput value={entry.limit} onChange={set('limit')} mayBeEmpty />
        </Field>
      </Group>
      <Group>
        <Field
          label="Models it may call"
          help='One id a line, or the beginning of ids and "*". Empty allows what its project allows.'
          error={problemOf(error, 'models')}
          optional
        >
          <TextArea mono value={entry.models} onChange={set('models')} rows={3} spellCheck={false} />
        </Field>
      </Group>
      <Group>
        <Field
          label="Expires on"
          help="It is refused from the beginning of this day on, UTC. Empty: it does not expire."
          error={problemOf(error, 'expires_at')}
          optional
        >
          <DateInput value={entry.expires} onChange={set('expires')} min={tomorrow} />
        </Field>
      </Group>
      <Group>
        <Field
          label="Metadata"
          help="One note a line: team=search. Up to 16; for you, not for models."
          error={problemOf(error, 'metadata')}
          optional
        >
          <TextArea mono value={entry.notes} onChange={set('notes')} rows={2} spellCheck={false} />
        </Field>
      </Group>
    </>
  );
}
