import type { ReactNode } from 'react';
import type { DomainJson } from '../../../src/control/admin/identity/access-contract.ts';
import { DOMAIN_COMMANDS } from '../../../src/control/operations/workspace-access-commands.ts';
import { addDomain, approveDomain, proveDomain, reloadAccess, removeDomain } from '../api/workspace-access.ts';
import { commandWords } from '../components/command-words.ts';
import { useMe, useUnavailable } from '../session/access.ts';
import { AddByText } from './add-by-text.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { SendButton } from './send-button.tsx';

/** Adds a domain, which then says by which record it is proven. */
export function DomainAdd({ workspace }: { readonly workspace: string }): ReactNode {
  return (
    <AddByText
      param="domain"
      label="Domain"
      placeholder="example.com"
      maxLength={253}
      spellCheck={false}
      action="Add domain"
      unavailable={useUnavailable(workspace, 'access:write', 'add domains')}
      add={(domain) => addDomain(workspace, domain)}
      onAdded={reloadAccess(workspace)}
    />
  );
}

interface DomainActionsProps {
  readonly workspace: string;
  readonly domain: DomainJson;
}

/** What can be done with a domain: prove it, or remove it; an operator may approve it. */
export function DomainActions({ workspace, domain: { domain, proven_at: provenAt } }: DomainActionsProps): ReactNode {
  const { user } = useMe();
  const reload = reloadAccess(workspace);
  const unavailable = useUnavailable(workspace, 'access:write', 'change domains');
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {provenAt === null && (
        <SendButton
          unavailable={unavailable}
          send={() => proveDomain(workspace, domain)}
          done={() => `${domain} is proven.`}
          reload={reload}
        >
          Look for the record
        </SendButton>
      )}
      {provenAt === null && user.is_operator && (
        <ConfirmAction
          action="Approve"
          title={`Approve ${domain}?`}
          danger={false}
          command={commandWords(DOMAIN_COMMANDS, 'domain approve', { workspace, domain })}
          send={() => approveDomain(workspace, domain)}
          done={() => `${domain} is proven.`}
          reload={reload}
        >
          This workspace then decides who signs in with addresses of {domain}, and to which accounts. Approve it only if
          you know that the domain is its own.
        </ConfirmAction>
      )}
      <ConfirmAction
        action="Remove"
        aria-label={`Remove ${domain}`}
        title={`Remove ${domain}?`}
        unavailable={unavailable}
        command={commandWords(DOMAIN_COMMANDS, 'domain remove', { workspace, domain })}
        send={() => removeDomain(workspace, domain)}
        done={() => `${domain} is removed.`}
        reload={reload}
      >
        People with addresses of {domain} can not sign in at your provider then, and sessions that it has begun for them
        end.
      </ConfirmAction>
    </span>
  );
}
