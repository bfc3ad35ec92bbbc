// @vitest-environment happy-dom
import { useState } from 'react';
import { expect, test } from 'vitest';
import { doing, drawn } from './drawn.tsx';
import { set } from './controls.ts';
import { Field } from '../../console/src/ui/field.tsx';
import { MoneyInput } from '../../console/src/ui/money-input.tsx';

function Example({ refused = null }: { readonly refused?: string | null }) {
  const [value, setValue] = useState('');
  return (
    <Field label="Amount" help="In USD." error={refused}>
      <MoneyInput value={value} onChange={setValue} />
    </Field>
  );
}

test('a wrong amount is said once it is left, and not any more as soon as it is right', async () => {
  const place = await drawn(<Example />);
  const input = place.querySelector('input');
  const problem = () => place.querySelector('[role="alert"]')?.textContent ?? null;
  if (input === null) throw new Error('there is no field');
  await doing(() => set(input, 'twelve'));
  expect(problem()).not.toBeNull();
  // Typed, and not left.
  const type = (text: string) =>
    doing(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  await type('12x');
  expect(problem()).not.toBeNull();
  await type('12');
  expect(problem()).toBeNull();
  await doing(() => set(input, '$5'));
  expect([input.value, problem()]).toEqual(['5.00', null]);
});

test('what is wrong with the typed amount comes before what the server said of the former one', async () => {
  const place = await drawn(<Example refused="It must be above the limit of 5.00 USD." />);
  const input = place.querySelector('input');
  if (input === null) throw new Error('there is no field');
  await doing(() => set(input, '-1'));
  expect(place.querySelector('[role="alert"]')?.textContent).toBe('Enter an amount above zero, such as 5.00.');
  await doing(() => set(input, '6'));
  expect(place.querySelector('[role="alert"]')?.textContent).toBe('It must be above the limit of 5.00 USD.');
});
