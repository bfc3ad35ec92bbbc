import { type ComponentType, type ReactNode, type SubmitEvent, useId } from 'react';
import { Button, type ButtonKind } from '../ui/button.tsx';
import type { ModalProps } from '../ui/modal-frame.tsx';

export interface FormFrameProps extends Pick<ModalProps, 'title' | 'description' | 'dirty' | 'onClose'> {
  /** A dialog for a line or two, a sheet for more. */
  readonly frame: ComponentType<ModalProps>;
  /** What its button says: the verb and the object. */
  readonly action: ReactNode;
  readonly kind?: ButtonKind | undefined;
  /** What else can be done, at the other end. */
  readonly aside?: ReactNode;
  readonly busy: boolean;
  /** Why it cannot be sent. */
  readonly unavailable?: string | null | undefined;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form over the page, with its buttons at the end. */
export function FormFrame({
  frame: Frame,
  action,
  kind = 'primary',
  aside,
  busy,
  unavailable,
  onSubmit,
  children,
  ...modal
}: FormFrameProps): ReactNode {
  const form = useId();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!busy && (unavailable ?? null) === null) onSubmit();
  };
  return (
    <Frame
      {...modal}
      open
      footer={
        <>
          {aside}
          <Button onClick={modal.onClose}>Cancel</Button>
          <Button kind={kind} type="submit" form={form} busy={busy} unavailable={unavailable}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        {children}
      </form>
    </Frame>
  );
}
