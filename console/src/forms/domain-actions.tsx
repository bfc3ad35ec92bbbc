import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DomainJson } from '../../../src/control/admin/identity/access-contract.ts';
import { DOMAIN_COMMANDS } from '../../../src/control/operations/workspace-access-commands.ts';
import { addDomain, approveDomain, proveDomain, reloadAccess, removeDomain } from '../api/workspace-access.ts';
import { commandWords } from '../components/command-words.ts';
import { useMe, useUnavailable } from '../session/access.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { SendButton } from './send-button.tsx';
import { TextField } from './text-field.tsx';

/** Adds a domain, which then says by which record it is proven. */
export function DomainAdd({ workspace }: { readonly workspace: string }): ReactNode {
  const queries = useQueryClient();
  const [domain, setDomain] = useState('');
  const unavailable = useUnavailable(workspace, 'access:write', 'add domains');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => addDomain(workspace, domain.trim()),
    onSuccess: async () => {
      setDomain('');
      await reloadAccess(workspace)(queries);
    },
  });
  return (
    <InlineForm error={error} className="flex max-w-md flex-col gap-2" onSubmit={() => mutate()}>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            param="domain"
            label="Domain"
            value={domain}
            onChange={setDomain}
            placeholder="example.com"
            maxLength={253}
            spellCheck={false}
          />
        </div>
        <Button type="submit" busy={isPending} unavailable={unavailable}>
          Add domain
        </Button>
      </div>
      <FormProblem />
    </InlineForm>
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
