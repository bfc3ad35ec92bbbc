import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { isVersionConflict } from '../api/api-error.ts';
import { useOnce } from '../api/once.ts';
import { CommandLine } from '../components/command-line.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import type { ModalProps } from '../ui/modal-frame.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { FormFrame, type FormFrameProps } from './form-frame.tsx';
import { FormError, FormProblem } from './param-field.tsx';

interface ResourceFormProps<Answer> extends Omit<FormFrameProps, 'frame' | 'busy' | 'onSubmit'> {
  /** A sheet by default; a dialog for a line or two. */
  readonly frame?: ComponentType<ModalProps>;
  /** The same as a command. */
  readonly command?: readonly string[] | null;
  /** Whether it is sent, where more than the browser's checks decide that. */
  readonly maySend?: () => boolean;
  /** Sends it. `once` stays the same as long as the form is open: sending it again after a lost answer creates nothing twice. */
  readonly send: (once: string) => Promise<Answer>;
  /** What is announced of it; of one with a secret, that it was lost. */
  readonly done?: (answer: Answer) => string;
  /** Reads again what it has changed. */
  readonly reload: (queries: QueryClient) => Promise<unknown>;
  /** By default it is closed then. */
  readonly onDone?: (answer: Answer) => unknown;
  /** Shows a secret of its answer in place of the form; null if an earlier answer had it, which was lost. */
  readonly renderSecret?: (answer: Answer) => ReactNode;
  /** The changed thing, and how it is loaded again after a concurrent change. */
  readonly versioned?: { readonly thing: string; readonly load: () => Promise<void> };
}

/** The form that creates or changes something: what was refused, and the same as a command, are below its fields. */
export function ResourceForm<Answer>({
  frame = Sheet,
  command = null,
  maySend,
  send,
  done,
  reload,
  onDone,
  renderSecret,
  versioned,
  children,
  ...form
}: ResourceFormProps<Answer>): ReactNode {
  const once = useOnce();
  const queries = useQueryClient();
  const [created, setCreated] = useState<Answer | null>(null);
  // A double click comes before `isPending` is drawn.
  const isSending = useRef(false);
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => send(once),
    onSettled: () => {
      isSending.current = false;
    },
    // An answer may have a secret in it, which stays in no cache.
    gcTime: 0,
    onSuccess: async (answer) => {
      if (renderSecret !== undefined && renderSecret(answer) !== null) {
        setCreated(answer);
        return await reload(queries);
      }
      if (done !== undefined) showToast(done(answer));
      await reload(queries);
      return await (onDone ?? form.onClose)(answer);
    },
  });
  if (created !== null && renderSecret !== undefined) return renderSecret(created);
  const load = async (): Promise<void> => {
    await versioned?.load();
    reset();
  };
  const submit = (): void => {
    if (isSending.current || maySend?.() === false) return;
    isSending.current = true;
    mutate();
  };
  return (
    <FormFrame {...form} frame={frame} busy={isPending} onSubmit={submit}>
      <FormError value={error}>
        {children}
        {versioned !== undefined && isVersionConflict(error) ? (
          <VersionConflict thing={versioned.thing} onLoad={load} />
        ) : (
          <FormProblem />
        )}
      </FormError>
      {command !== null && <CommandLine command={command} />}
    </FormFrame>
  );
}
