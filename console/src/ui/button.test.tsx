import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

type Clicked = { readonly preventDefault: () => void };
type Shown = ReactElement<{ readonly onClick: (event: Clicked) => void }>;

/** How often the action runs, and the browser is kept from its own, when a button in this state is clicked once. */
function clicked(state: { readonly busy?: boolean; readonly unavailable?: string | null }) {
  const onClick = vi.fn<() => void>();
  const preventDefault = vi.fn<() => void>();
  const button = Button({ ...state, onClick, children: 'Send' }) as ReactElement<{
    readonly children: (reasonId: string | undefined) => ReactNode;
  }>;
  (button.props.children(undefined) as Shown).props.onClick({ preventDefault });
  return { run: onClick.mock.calls.length, kept: preventDefault.mock.calls.length };
}

test.each([
  ['as it is', {}, { run: 1, kept: 0 }],
  ['whose action is under way', { busy: true }, { run: 0, kept: 1 }],
  ['whose action cannot be taken', { unavailable: 'Your role does not include this.' }, { run: 0, kept: 1 }],
])('a button %s takes a click, or neither runs its action nor sends its form', (_, state, expected) => {
  expect(clicked(state)).toEqual(expected);
});

test('a button shows assistive technology that it is busy or out of reach, and stays in reach of the keyboard', () => {
  const marks = (button: ReactNode): readonly string[] =>
    renderToStaticMarkup(button).match(/aria-(?:disabled|busy)="true"|\sdisabled/g) ?? [];
  expect(marks(<Button>Send</Button>)).toEqual([]);
  expect(marks(<Button busy>Send</Button>)).toEqual(['aria-disabled="true"', 'aria-busy="true"']);
  expect(marks(<Button unavailable="Not now.">Send</Button>)).toEqual(['aria-disabled="true"']);
});
