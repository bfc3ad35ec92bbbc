import { type ReactNode, useState } from 'react';
import { requestIdIn } from './request-id.ts';
import { SearchInput } from '../ui/search-input.tsx';

/** Leads to a request as soon as its id is pasted. */
export function FindRequest({ onFind }: { readonly onFind: (id: string) => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const type = (text: string): void => {
    const id = requestIdIn(text);
    setIsWrong(false);
    setTyped(id === null ? text : '');
    if (id !== null) onFind(id);
  };
  return (
    <div className="max-sm:w-full">
      <SearchInput
        label="Find a request by its id"
        value={typed}
        onChange={type}
        onSubmit={() => setIsWrong(typed.trim() !== '')}
        className="w-72 max-sm:w-full"
      />
      <output className="block max-w-72 text-meta text-danger-text">
        {isWrong && 'That is no request id. Paste the x-request-id of an answer.'}
      </output>
    </div>
  );
}
