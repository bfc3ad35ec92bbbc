import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { announce, showToast } from './announcements.ts';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What it does, as its name: "Copy request id". */
  readonly label?: string | undefined;
  /** A button with the label as words, where copying is what one comes for. */
  readonly words?: boolean | undefined;
}

const DONE_MS = 2_000;

export function CopyButton({ text, label = 'Copy', words = false }: CopyButtonProps): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied');
    } catch {
      showToast('The browser did not allow copying. Select the text and copy it yourself.', 'failed');
    }
  };
  const icon = copied ? <Check size={16} strokeWidth={1.5} /> : <Copy size={16} strokeWidth={1.5} />;
  if (words) {
    return (
      <Button icon={icon} onClick={() => void copy()}>
        {copied ? 'Copied' : label}
      </Button>
    );
  }
  return <IconButton label={label} icon={icon} onClick={() => void copy()} className="size-6! max-sm:size-10!" />;
}
