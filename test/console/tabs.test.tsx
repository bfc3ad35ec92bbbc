// @vitest-environment happy-dom
import { useState } from 'react';
import { expect, test } from 'vitest';
import { doing, drawn } from './drawn.tsx';
import { Tabs } from '../../console/src/ui/tabs.tsx';

const TABS = ['one', 'two', 'three'].map((id) => ({ id, label: id }));

function Example() {
  const [selected, setSelected] = useState('one');
  return (
    <Tabs label="Things" tabs={TABS} selected={selected} onSelect={setSelected}>
      {`the panel of ${selected}`}
    </Tabs>
  );
}

/** The tab that is selected, the one that has the focus, and the ones that the Tab key reaches. */
function standing(place: HTMLElement) {
  const tabs = [...place.querySelectorAll<HTMLElement>('[role="tab"]')];
  return {
    selected: tabs.filter((tab) => tab.getAttribute('aria-selected') === 'true').map((tab) => tab.textContent),
    focused: document.activeElement?.textContent,
    reached: tabs.filter((tab) => tab.tabIndex === 0).map((tab) => tab.textContent),
  };
}

test('arrows, Home and End go through tabs in a circle, and take selection, focus and reach along', async () => {
  const place = await drawn(<Example />);
  place.querySelector<HTMLElement>('[role="tab"]')?.focus();
  for (const [key, tab] of [
    ['ArrowRight', 'two'],
    ['End', 'three'],
    ['ArrowRight', 'one'],
    ['ArrowLeft', 'three'],
    ['Home', 'one'],
    ['x', 'one'],
  ] as const) {
    await doing(() => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
    expect({ key, ...standing(place) }).toEqual({ key, selected: [tab], focused: tab, reached: [tab] });
    expect(place.querySelector('[role="tabpanel"]')?.textContent).toBe(`the panel of ${tab}`);
  }
});
