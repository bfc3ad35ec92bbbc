import type { ReactNode } from 'react';
import { ModalFrame, type ModalProps } from './modal-frame.tsx';

interface SheetProps extends ModalProps {
  readonly side?: 'left' | 'right' | undefined;
}

const SIDES = { right: 'right-0 left-auto sm:border-l', left: 'left-0 right-auto sm:border-r' } as const;

/** A panel at the side of the window, the whole of it below 640 px. */
export function Sheet({ open, side = 'right', ...rest }: SheetProps): ReactNode {
  if (!open) return null;
  return (
    <ModalFrame
      {...rest}
      className={`slides inset-y-0 h-dvh max-h-dvh w-130 max-w-full overflow-hidden border-line! max-sm:w-full ${SIDES[side]}`}
    />
  );
}
