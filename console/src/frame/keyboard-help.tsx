import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { turnLetters, useLettersOn } from '../ui/letter-keys.ts';
import { Switch } from '../ui/switch.tsx';
import { PALETTE_KEYS } from './header.tsx';

interface Group {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'Anywhere',
    keys: [
      [PALETTE_KEYS.split(' '), 'Go to a page, project, key, model or request'],
      [['?'], 'Show these keys'],
      [['/'], 'Search in the list of this page'],
      [['Esc'], 'Close what is open'],
    ],
  },
  {
    title: 'In a list',
    keys: [
      [['j'], 'Next row'],
      [['k'], 'Row before'],
      [['Enter'], 'Open the row'],
    ],
  },
  {
    title: 'In a chart',
    keys: [
      [['←', '→'], 'Read the bar before, or the next one'],
      [['Home', 'End'], 'Read the first bar, or the last one'],
      [['T'], 'Show the chart as a table'],
    ],
  },
];

/** The keys of the keyboard, and whether single ones do anything. */
export function KeyboardHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const lettersOn = useLettersOn();
  return (
    <Dialog open title="Keyboard shortcuts" onClose={onClose}>
      <div className="flex flex-col gap-5">
        {GROUPS.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 text-control font-semibold">{title}</h3>
            <dl className="text-control">
              {keys.map(([pressed, does]) => (
                <div
                  key={does}
                  className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-0"
                >
                  <dt className="text-text-2">{does}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {pressed.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <Switch
          label="Single keys"
          help="Such as / and j, without Ctrl. Turn them off on this device if they are pressed unmeant; these keys stand in the menu of your account too."
          on={lettersOn}
          onChange={turnLetters}
        />
      </div>
    </Dialog>
  );
}
