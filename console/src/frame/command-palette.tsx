import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useMe } from '../session/access.ts';
import { type Command, commandsFor, matching } from './commands.ts';
import { useFoundThings } from './use-found-things.ts';

/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- no tag is a combobox with a list of commands; the input keeps the focus and has the keys */

interface CommandPaletteProps {
  readonly workspace: string | null;
  readonly onClose: () => void;
}

/** Goes anywhere by a few letters: to pages, actions, workspaces, projects, keys and models, and to a request by its id. */
export function CommandPalette({ workspace, onClose }: CommandPaletteProps): ReactNode {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const me = useMe();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const found = useFoundThings(workspace, typed);
  const commands = [...matching(commandsFor(me, workspace), typed), ...found.commands];
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const run = ({ href }: Command): void => {
    onClose();
    if (href.startsWith('/docs')) location.assign(href);
    else void navigate({ href });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = commands[at];
    if (step !== undefined && commands.length > 0) setAt((at + step + commands.length) % commands.length);
    else if (event.key === 'Enter' && chosen !== undefined) run(chosen);
    else return;
    event.preventDefault();
  };
  const type = (text: string): void => {
    setTyped(text);
    setAt(0);
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Go to"
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      className="opens fixed inset-x-0 top-[12dvh] mx-auto w-full max-w-[min(560px,calc(100vw-32px))] overflow-hidden rounded-panel border-0 bg-surface p-0 text-text shadow-float"
    >
      <input
        type="text"
        role="combobox"
        aria-label="Page, action, project, key, model or request id"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Find anything, or paste a request id"
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-body outline-none placeholder:text-text-3 max-sm:text-[16px]"
      />
      <div id={`${id}-list`} role="listbox" aria-label="Places" className="max-h-[50dvh] overflow-y-auto p-2">
        {commands.map((command, index) => (
          <div
            key={command.href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
            onPointerMove={() => setAt(index)}
            className="flex min-h-9 target cursor-pointer items-center justify-between gap-4 rounded-control px-2 text-control aria-selected:bg-sunken"
          >
            <span className="truncate">{command.label}</span>
            <span className="max-w-1/2 shrink-0 truncate text-meta text-text-3">{command.kind}</span>
          </div>
        ))}
      </div>
      <output className={commands.length === 0 ? 'block px-4 pb-4 text-control text-text-2' : 'sr-only'}>
        {outcomeOf(commands.length, found.isSearching)}
      </output>
    </dialog>
  );
}

/** The state of the list for screen readers, which is shown while the list is empty. */
function outcomeOf(count: number, isSearching: boolean): string {
  if (isSearching) return 'Searching…';
  if (count === 0) return 'Nothing is called that. A request is found by its whole id.';
  return `${count} found`;
}
