import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { setMyPassword } from '../api/account.ts';
import { problemOf } from '../api/api-error.ts';
import { signInOptionsQuery } from '../api/sign-in.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useMe } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** Sets the signed-in user's password. The former one is asked for by the confirmation of who they are. */
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
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="flex max-w-90 flex-col items-start gap-4" onSubmit={submit}>
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <Field label="New password" help={rules} error={problemOf(error, 'password')} className="w-full">
        <TextInput type="password" value={password} onChange={setPassword} required autoComplete="new-password" />
      </Field>
      <ProblemPanel error={error} except={['password']} />
      <Button type="submit" busy={isPending}>
        {action}
      </Button>
    </form>
  );
}
