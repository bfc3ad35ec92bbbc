import { type ReactNode, useState } from 'react';
import type { CreatedAccessTokenJson, MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { isReading, type Permission, reachOf, type Role, SCOPES } from '../../../src/domain/roles.ts';
import { accessTokensQuery, createAccessToken } from '../api/access-tokens.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Select } from '../ui/select.tsx';
import { ParamField } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';

type Membership = MeJson['workspaces'][number];

interface AccessTokenCreateProps {
  /** At least one. */
  readonly workspaces: readonly Membership[];
  readonly onClose: () => void;
  readonly onCreated: (token: CreatedAccessTokenJson) => void;
}

const HOUR_MS = 3_600_000;
const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
] as const;

type Days = (typeof LIFETIMES)[number]['value'];

/** An hour less, so that the longest is allowed also if this clock is fast. */
export function expiryIn(days: Days, nowMs: number): string {
  return new Date(nowMs + (Number(days) * 24 - 1) * HOUR_MS).toISOString();
}

/** Why members of a role can't give a token this right. */
function whyNoScope(role: Role, scope: Permission): string | null {
  return reachOf(role, scope) === 'none' ? `Your role, ${role}, does not include this.` : null;
}

/** Creates an access token with a part of the user's role in one workspace. */
export function AccessTokenCreate({ workspaces, onClose, onCreated }: AccessTokenCreateProps): ReactNode {
  const [name, setName] = useState('');
  const [workspace, setWorkspace] = useState(workspaces[0]?.id ?? '');
  const [days, setDays] = useState<Days>('90');
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set());
  const role = workspaces.find(({ id }) => id === workspace)?.role ?? 'viewer';
  const allowed = SCOPES.filter((scope) => whyNoScope(role, scope) === null);
  const scopes = allowed.filter((scope) => chosen.has(scope));
  return (
    <ResourceForm
      title="Create access token"
      description="Programs call the admin API with it in your place, in one workspace."
      onClose={onClose}
      dirty={name !== '' || scopes.length > 0}
      action="Create access token"
      unavailable={scopes.length === 0 ? 'Choose at least one right.' : null}
      send={(once) =>
        createAccessToken({
          workspace_id: workspace,
          name: name.trim(),
          scopes: [...scopes],
          expires_at: expiryIn(days, Date.now()),
          once,
        })
      }
      reload={(queries) => queries.invalidateQueries({ queryKey: accessTokensQuery.queryKey })}
      onDone={onCreated}
    >
      <TextField param="name" label="Name" help="What uses it." value={name} onChange={setName} maxLength={100} />
      <ParamField param="workspace_id" label="Workspace" help={`You are ${role} there.`}>
        <Select
          value={workspace}
          onChange={setWorkspace}
          options={workspaces.map((each) => ({ value: each.id, label: each.name }))}
        />
      </ParamField>
      <ParamField param="expires_at" label="Expires in">
        <Select value={days} onChange={setDays} options={LIFETIMES} />
      </ParamField>
      <ScopeChoice role={role} chosen={chosen} onChange={setChosen} allowed={allowed} />
    </ResourceForm>
  );
}

interface ScopeChoiceProps {
  readonly role: Role;
  readonly allowed: readonly Permission[];
  readonly chosen: ReadonlySet<Permission>;
  readonly onChange: (chosen: ReadonlySet<Permission>) => void;
}

function ScopeChoice({ role, allowed, chosen, onChange }: ScopeChoiceProps): ReactNode {
  const toggle = (scope: Permission, isChosen: boolean): void => {
    const others = [...chosen].filter((each) => each !== scope);
    onChange(new Set(isChosen ? [...others, scope] : others));
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-control font-medium">Rights</legend>
      <div className="mb-2 flex flex-wrap gap-2">
        <Button onClick={() => onChange(new Set(allowed.filter(isReading)))}>All that read</Button>
        <Button onClick={() => onChange(new Set(allowed))}>All of your role</Button>
        <Button onClick={() => onChange(new Set())}>None</Button>
      </div>
      <div className="gap-x-4 sm:columns-2">
        {SCOPES.map((scope) => {
          const reason = whyNoScope(role, scope);
          return (
            <Checkbox
              key={scope}
              label={<code className="font-mono">{scope}</code>}
              checked={reason === null && chosen.has(scope)}
              onChange={(isChosen) => toggle(scope, isChosen)}
              unavailable={reason}
            />
          );
        })}
      </div>
    </fieldset>
  );
}
