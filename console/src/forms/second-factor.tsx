import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { proveSecondFactor } from '../api/authenticator.ts';
import { problemOf } from '../api/api-error.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { InlineForm } from './inline-form.tsx';

/** Asks for a code of the user's authenticator app, which this session has not had yet. */
export function SecondFactor(): ReactNode {
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => proveSecondFactor(code.replaceAll(' ', '')),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <InlineForm error={error} className="flex max-w-sm flex-col items-start gap-4" onSubmit={() => mutate()}>
      <Field
        label="Code"
        help="Six digits of your authenticator app, or one of your recovery codes."
        error={problemOf(error, 'code')}
      >
        <TextInput mono value={code} onChange={setCode} required autoComplete="one-time-code" />
      </Field>
      <ProblemPanel error={error} except={['code']} />
      <Button kind="primary" type="submit" busy={isPending}>
        Continue
      </Button>
    </InlineForm>
  );
}
