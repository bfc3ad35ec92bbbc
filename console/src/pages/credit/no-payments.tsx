import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { useMe } from '../../session/access.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { postingCommand } from '../../components/posting-command.ts';

/** How credit comes to a workspace of an instance that takes no payments. */
export function NoPayments({ workspace: { id, name } }: { readonly workspace: WorkspaceJson }): ReactNode {
  const { user } = useMe();
  return (
    <Section title="How credit is added">
      <div className="flex max-w-prose flex-col gap-3 text-body">
        {user.is_operator ? (
          <p>
            This instance takes no payments. As its operator you post credit here, or by a command. To take payments,
            configure Stripe.
          </p>
        ) : (
          <p>
            This instance takes no payments: its operator grants credit. Ask them for it, and name the workspace{' '}
            <b className="font-medium wrap-anywhere">{name}</b> with its id. If they gave you a code, redeem it here.
          </p>
        )}
        <p className="flex min-w-0 items-center gap-1 text-control text-text-2">
          <code className="min-w-0 font-mono wrap-anywhere">{id}</code>
          <CopyButton text={id} label="Copy workspace id" />
        </p>
        {user.is_operator && (
          <CommandLine command={postingCommand(id, { kind: 'grant', amount_usd: '', reason: '' })} />
        )}
      </div>
    </Section>
  );
}
