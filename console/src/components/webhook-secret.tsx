import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { TextLink } from '../ui/text-link.tsx';
import { SecretDialog } from './secret-dialog.tsx';

interface WebhookSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly children?: ReactNode;
  readonly onSaved: () => void;
}

/** Shows the secret of a webhook endpoint once. */
export function WebhookSecret({ title, secret, children, onSaved }: WebhookSecretProps): ReactNode {
  return (
    <SecretDialog
      title={title}
      what="signing secret"
      secret={secret}
      description="Copy the secret now and give it to the receiver: it checks with it that a delivery is from here. It is shown only this once."
      onSaved={onSaved}
    >
      {children}
      <p className="text-control">
        <TextLink href={`${paths.manual()}/alerts#webhooks`} target="_blank" rel="noreferrer">
          How a signature is checked
        </TextLink>
      </p>
    </SecretDialog>
  );
}
