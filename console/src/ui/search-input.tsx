import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Kbd } from './kbd.tsx';
import { TextInput } from './text-input.tsx';
import { isTyping } from './use-row-keys.ts';

interface SearchInputProps {
  /** What is searched, as its name and its placeholder: "Search keys". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Enter was pressed, where searching waits for it. */
  readonly onSubmit?: (() => void) | undefined;
  readonly className?: string | undefined;
}

/** A search field that "/" leads to, from anywhere on the page. */
export function SearchInput({
  label,
  value,
  onChange,
  onSubmit,
  className = 'w-64 max-sm:w-full',
}: SearchInputProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      input.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <span data-whole-line className={`group relative block ${className}`}>
      <Search
        size={16}
        strokeWidth={1.5}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto text-text-3"
      />
      <TextInput
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={value}
        onChange={onChange}
        onKeyDown={(event) => event.key === 'Enter' && onSubmit?.()}
        className="peer pr-8! pl-8! [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center peer-focus:hidden max-sm:hidden">
        <Kbd>/</Kbd>
      </span>
    </span>
  );
}
