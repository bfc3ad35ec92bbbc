import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { TextField } from './text-field.tsx';

interface AddByTextProps<Added> {
  readonly param: string;
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  readonly spellCheck?: boolean;
  /** What the button does. */
  readonly action: string;
  readonly unavailable?: string | null;
  readonly add: (text: string) => Promise<Added>;
  readonly onAdded: (queries: QueryClient, added: Added) => Promise<unknown>;
}

/** A text field with a button: adds an item to the list above, then empties the field. */
export function AddByText<Added>({
  action,
  unavailable = null,
  add,
  onAdded,
  ...field
}: AddByTextProps<Added>): ReactNode {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => add(text.trim()),
    onSuccess: async (added) => {
      setText('');
      await onAdded(queries, added);
    },
  });
  return (
    <InlineForm error={error} className="flex max-w-md flex-col gap-2" onSubmit={() => mutate()}>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField {...field} value={text} onChange={setText} />
        </div>
        <Button type="submit" busy={isPending} unavailable={unavailable}>
          {action}
        </Button>
      </div>
      <FormProblem />
    </InlineForm>
  );
}
