import { isValidElement, type ReactElement, type SubmitEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { ModalProps } from '../ui/modal-frame.tsx';
import { FormFrame } from './form-frame.tsx';

/** How often a form is sent, and the browser kept from sending it itself, when it is submitted once in this state. */
function submitted(state: { readonly busy: boolean; readonly unavailable?: string | null }) {
  const onSubmit = vi.fn<() => void>();
  const preventDefault = vi.fn<() => void>();
  let form: ReactElement<{ readonly onSubmit: (event: SubmitEvent) => void }> | null = null;
  const frame = ({ children }: ModalProps): null => {
    if (isValidElement<{ readonly onSubmit: (event: SubmitEvent) => void }>(children)) form = children;
    return null;
  };
  renderToStaticMarkup(
    <FormFrame frame={frame} title="A form" action="Send" onClose={() => undefined} onSubmit={onSubmit} {...state}>
      <input />
    </FormFrame>,
  );
  const found = form as ReactElement<{ readonly onSubmit: (event: SubmitEvent) => void }> | null;
  found?.props.onSubmit({ preventDefault } as unknown as SubmitEvent);
  return { sent: onSubmit.mock.calls.length, kept: preventDefault.mock.calls.length };
}

test.each([
  ['as it is', { busy: false }, 1],
  ['that nothing keeps from being sent', { busy: false, unavailable: null }, 1],
  ['that is being sent', { busy: true }, 0],
  ['that cannot be sent', { busy: false, unavailable: 'Choose an amount first.' }, 0],
])(
  'a form %s sends what was typed at most once, also by the Enter key, and never leaves the page',
  (_, state, sent) => {
    expect(submitted(state)).toEqual({ sent, kept: 1 });
  },
);
