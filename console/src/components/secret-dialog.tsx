import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FooterQuestion } from '../ui/footer-question.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** What it is, as the name of its copy button: "key". */
  readonly what: string;
  readonly secret: string;
  /** For what is not for the reader's own programs: its use, and until when it works. */
  readonly description?: ReactNode;
  /** What stands below the secret. */
  readonly children?: ReactNode;
  /** The reader has saved it. */
  readonly onSaved: () => void;
  /** The reader has saved it and goes on with the next one. */
  readonly onNext?: (() => void) | undefined;
}

/**
 * Shows a secret that is not shown again. It is left by saying that it is saved: Escape, a press beside it, links, the
 * browser's back button and closing the window ask first.
 */
export function SecretDialog({
  title,
  what,
  secret,
  description,
  children,
  onSaved,
  onNext,
}: SecretDialogProps): ReactNode {
  const [asks, setAsks] = useState(false);
  const isSaved = useRef(false);
  const way = useBlocker({
    shouldBlockFn: () => !isSaved.current,
    enableBeforeUnload: () => !isSaved.current,
    withResolver: true,
  });
  const save = (): void => {
    isSaved.current = true;
    if (way.status === 'blocked') way.proceed();
    else onSaved();
  };
  const stay = (): void => {
    setAsks(false);
    if (way.status === 'blocked') way.reset();
  };
  const isAsking = asks || way.status === 'blocked';
  return (
    <Dialog
      open
      locked
      width="wide"
      title={title}
      description={
        description ?? `Copy the ${what} now and keep it where your programs read it. It is shown only this once.`
      }
      onClose={save}
      onLeaveTried={() => setAsks(true)}
      footer={
        isAsking ? (
          <FooterQuestion
            label={`Is the ${what} saved?`}
            stay="Keep it open"
            leave="I have saved it"
            onStay={stay}
            onLeave={save}
          >
            {`This ${what} is not shown again. Is it saved?`}
          </FooterQuestion>
        ) : (
          <>
            {onNext !== undefined && <Button onClick={onNext}>Saved, create another</Button>}
            <Button kind="primary" onClick={save}>
              I have saved it
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-5">
        <CodeBlock code={secret} label={what} wrap />
        {children}
      </div>
    </Dialog>
  );
}
