import type { ReactNode } from 'react';
import { type Role, ROLES } from '../../../src/domain/roles.ts';
import { ROLE_HELP } from '../components/role-words.ts';
import { useUnavailable } from '../session/access.ts';
import { RadioGroup } from '../ui/radio-group.tsx';

interface RoleChoiceProps {
  readonly workspace: string;
  readonly role: Role;
  readonly onChange: (role: Role) => void;
  /** Why none of them can be chosen. */
  readonly unavailable?: string | null;
}

/** A role of a member. Owners are made by owners alone. */
export function RoleChoice({ workspace, role, onChange, unavailable = null }: RoleChoiceProps): ReactNode {
  const ownersAlone = useUnavailable(workspace, 'owners:write', 'make owners');
  return (
    <RadioGroup
      label="Role"
      value={role}
      onChange={onChange}
      options={ROLES.map((value) => ({
        value,
        label: value,
        help: ROLE_HELP[value],
        unavailable: value === role ? null : (unavailable ?? (value === 'owner' ? ownersAlone : null)),
      }))}
    />
  );
}
