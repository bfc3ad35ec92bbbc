import type { ReactNode } from 'react';
import { shellWord } from '../format/shell-word.ts';
import { CopyButton } from '../ui/copy-button.tsx';

/** The command as one would type it. */
export function commandText(words: readonly string[]): string {
  return ['faregate', ...words].map(shellWord).join(' ');
}

interface CommandLineProps {
  readonly command: readonly string[];
  readonly className?: string;
}

/** The command that does the same as the form or action next to it. */
export function CommandLine({ command, className = '' }: CommandLineProps): ReactNode {
  const text = commandText(command);
  return (
    <div className={`flex items-start gap-2 pt-3 text-meta text-text-2 ${className}`}>
      <code className="min-w-0 flex-1 py-1 font-mono max-sm:py-3 wrap-anywhere">{text}</code>
      <CopyButton text={text} label="Copy as command" />
    </div>
  );
}
