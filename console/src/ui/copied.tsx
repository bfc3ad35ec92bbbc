import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

interface CopiedProps {
  readonly text: string;
  /** What its copy button is called: "Copy key id". */
  readonly label: string;
  readonly className?: string;
}

/** An id or an address, to copy. */
export function Copied({ text, label, className = '' }: CopiedProps): ReactNode {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className={`min-w-0 font-mono wrap-anywhere ${className}`}>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
