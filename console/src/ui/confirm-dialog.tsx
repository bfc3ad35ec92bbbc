import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorPanel, type Problem } from './error-panel.tsx';
import { Field } from './field.tsx';
import { TextInput } from './text-input.tsx';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** A question: "Revoke web/laptop?". */
  readonly title: string;
  /** What happens next. */
  readonly children: ReactNode;
  /** Verb and object: "Revoke key". */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly busy?: boolean | undefined;
  /** The name that has to be typed for what cannot be undone. */
  readonly typedName?: string | undefined;
  readonly danger?: boolean | undefined;
  readonly error?: Problem | null | undefined;
}

export function ConfirmDialog({ open, ...rest }: ConfirmDialogProps): ReactNode {
  return open ? <OpenConfirmDialog {...rest} /> : null;
}

function OpenConfirmDialog(props: Omit<ConfirmDialogProps, 'open'>): ReactNode {
  const form = useId();
  const [typed, setTyped] = useState('');
  const { typedName, danger = true, busy = false } = props;
  const matches = typedName === undefined || typed.trim() === typedName;
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={props.title}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            type="submit"
            form={form}
            busy={busy}
            unavailable={matches ? null : `Type ${typedName} to confirm.`}
          >
            {props.action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (matches && !busy) props.onConfirm();
        }}
      >
        <div className="text-body text-text-2">{props.children}</div>
        {typedName !== undefined && (
          <Field label={`Type ${typedName} to confirm`}>
            <TextInput value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} />
          </Field>
        )}
        {props.error && <ErrorPanel {...props.error} />}
      </form>
    </Dialog>
  );
}
