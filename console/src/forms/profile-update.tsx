import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { meQuery, renameMe } from '../api/account.ts';
import { problemOf } from '../api/api-error.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useMe } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** Changes the name that the other members see. */
export function ProfileUpdate(): ReactNode {
  const { user } = useMe();
  const queries = useQueryClient();
  const [name, setName] = useState(user.name);
  const isDirty = name.trim() !== user.name;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => renameMe(name.trim()),
    onSuccess: async (changed) => {
      setName(changed.name);
      showToast(`Your name is ${changed.name} now.`);
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty) mutate();
  };
  return (
    <form className="flex max-w-90 flex-col items-start gap-4" onSubmit={submit}>
      <Field label="Name" help="Members of your workspaces see it." error={problemOf(error, 'name')} className="w-full">
        <TextInput value={name} onChange={setName} required maxLength={100} autoComplete="name" />
      </Field>
      <ProblemPanel error={error} except={['name']} />
      <Button type="submit" busy={isPending} unavailable={isDirty ? null : 'This is your name already.'}>
        Change name
      </Button>
    </form>
  );
}
