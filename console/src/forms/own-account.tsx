import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { meQuery, renameMe, setMyPassword } from '../api/account.ts';
import { signInOptionsQuery } from '../api/sign-in.ts';
import { useMe } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem, ParamField } from './param-field.tsx';

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
  return (
    <InlineForm className="flex max-w-90 flex-col items-start gap-4" error={error} onSubmit={() => isDirty && mutate()}>
      <ParamField param="name" label="Name" help="Members of your workspaces see it." className="w-full">
        <TextInput value={name} onChange={setName} required maxLength={100} autoComplete="name" />
      </ParamField>
      <FormProblem />
      <Button type="submit" busy={isPending} unavailable={isDirty ? null : 'This is your name already.'}>
        Change name
      </Button>
    </InlineForm>
  );
}

/** Sets the signed-in user's password. The confirmation of their identity asks for the current one. */
export function PasswordSet(): ReactNode {
  const { user } = useMe();
  const queries = useQueryClient();
  const rules = useQuery(signInOptionsQuery).data?.password_rules;
  const [password, setPassword] = useState('');
  const action = user.has_password ? 'Change password' : 'Set password';
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => setMyPassword(password),
    onSuccess: async () => {
      setPassword('');
      showToast('Your password is set. Your other sessions have ended.');
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  return (
    <InlineForm className="flex max-w-90 flex-col items-start gap-4" error={error} onSubmit={() => mutate()}>
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <ParamField param="password" label="New password" help={rules} className="w-full">
        <TextInput type="password" value={password} onChange={setPassword} required autoComplete="new-password" />
      </ParamField>
      <FormProblem />
      <Button type="submit" busy={isPending}>
        {action}
      </Button>
    </InlineForm>
  );
}
