import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { proveSecondFactor } from '../api/authenticator.ts';
import { Button } from '../ui/button.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { TextField } from './text-field.tsx';

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
      <TextField
        param="code"
        label="Code"
        help="Six digits of your authenticator app, or one of your recovery codes."
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        mono
      />
      <FormProblem />
      <Button kind="primary" type="submit" busy={isPending}>
        Continue
      </Button>
    </InlineForm>
  );
}
