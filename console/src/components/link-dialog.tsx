import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface LinkDialogProps {
  readonly title: string;
  /** The reader that it is for, and until when it works. */
  readonly description: ReactNode;
  /** "invitation link". */
  readonly label: string;
  readonly link: string;
  readonly onClose: () => void;
}

/** A link that is shown once, for somebody to pass on. It closes by its button alone. */
export function LinkDialog({ title, description, label, link, onClose }: LinkDialogProps): ReactNode {
  return (
    <Dialog
      open
      locked
      width="wide"
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <CopyButton words text={link} label="Copy link" />
          <Button kind="primary" onClick={onClose}>
            I have passed it on
          </Button>
        </>
      }
    >
      <CodeBlock wrap label={label} code={link} />
    </Dialog>
  );
}
