import type { ReactNode } from 'react';
import { ModalFrame, type ModalProps } from './modal-frame.tsx';

interface DialogProps extends ModalProps {
  readonly width?: 'narrow' | 'wide' | undefined;
}

const WIDTHS = { narrow: 'sm:w-110', wide: 'sm:w-160' } as const;

/** A question or a form in the middle of the window; at the foot of it below 640 px. */
export function Dialog({ open, width = 'narrow', ...rest }: DialogProps): ReactNode {
  if (!open) return null;
  return (
    <ModalFrame
      {...rest}
      className={`opens inset-0 m-auto h-fit max-h-[calc(100dvh-48px)] w-full max-w-[calc(100vw-32px)] overflow-hidden rounded-panel max-sm:mb-0 max-sm:max-w-full max-sm:rounded-b-none ${WIDTHS[width]}`}
    />
  );
}
