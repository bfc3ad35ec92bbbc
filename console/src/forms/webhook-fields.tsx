import type { ReactNode } from 'react';
import { problemOf } from '../api/api-error.ts';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** What somebody typed about an endpoint. */
export interface WebhookEntry {
  readonly url: string;
  readonly description: string;
}

/** The fields that say themselves what is wrong with them. */
export const WEBHOOK_PARAMS = ['url', 'description'];

interface WebhookFieldsProps {
  readonly entry: WebhookEntry;
  readonly onChange: (entry: WebhookEntry) => void;
  readonly error: Error | null;
}

export function WebhookFields({ entry, onChange, error }: WebhookFieldsProps): ReactNode {
  return (
    <>
      <Field
        label="URL"
        help="An https URL of yours that takes a POST of JSON. Each alert of each rule is sent there."
        error={problemOf(error, 'url')}
      >
        <TextInput
          type="url"
          value={entry.url}
          onChange={(url) => onChange({ ...entry, url })}
          required
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
          placeholder="https://hooks.example.com/faregate"
        />
      </Field>
      <Field label="Description" help="What receives it." error={problemOf(error, 'description')} optional>
        <TextInput
          value={entry.description}
          onChange={(description) => onChange({ ...entry, description })}
          maxLength={200}
          autoComplete="off"
        />
      </Field>
    </>
  );
}
