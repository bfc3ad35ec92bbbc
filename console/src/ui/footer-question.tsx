import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';

interface FooterQuestionProps {
  /** What screen readers call it. */
  readonly label: string;
  readonly children: string;
  readonly stay: string;
  readonly leave: string;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** A question in place of the footer, so that nothing is lost by a key. */
export function FooterQuestion({ label, children, stay, leave, onStay, onLeave }: FooterQuestionProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div role="alertdialog" aria-label={label} className="flex w-full flex-wrap items-center gap-2">
      <p className="mr-auto text-control font-medium">{children}</p>
      <Button ref={button} onClick={onStay}>
        {stay}
      </Button>
      <Button kind="danger" onClick={onLeave}>
        {leave}
      </Button>
    </div>
  );
}
