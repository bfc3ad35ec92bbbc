import type { ReactNode } from 'react';
import type { MeJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { AccountPage } from '../../components/account-page.tsx';
import { OWN_WORKSPACE_COLUMNS } from '../../components/own-workspace-columns.tsx';
import { ProfileUpdate } from '../../forms/own-account.tsx';
import { WorkspaceLeave } from '../../forms/workspace-leave.tsx';
import { paths } from '../../paths.ts';
import { seesOwnAlone, useMe } from '../../session/access.ts';
import { actionsColumn } from '../../ui/columns.tsx';
import { chooseTheme, THEME_WORDS, THEMES, useTheme } from '../../session/theme.ts';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

const COLUMNS = [
  ...OWN_WORKSPACE_COLUMNS,
  actionsColumn<MeJson['workspaces'][number]>((own) => <WorkspaceLeave workspace={own} isInRow />),
];

export function ProfilePage(): ReactNode {
  const me = useMe();
  const { user, workspaces } = me;
  const theme = useTheme();
  return (
    <AccountPage
      title="Profile"
      answers="How others see you, and how the console looks to you."
      current={paths.profile()}
    >
      <Section title="You">
        <ProfileUpdate />
        <div className="mt-6">
          <DefinitionList
            items={[
              {
                term: 'Email address',
                value: `${user.email}, ${user.email_verified ? 'confirmed' : 'not confirmed by a mail'}`,
              },
              { term: 'Account since', value: <Timestamp at={user.created_at} /> },
              user.is_operator && { term: 'Rights', value: 'operator of this instance' },
            ]}
          />
        </div>
      </Section>
      <Section title="Theme" lead="In this browser.">
        <RadioGroup
          label="Theme"
          hideLabel
          value={theme}
          onChange={chooseTheme}
          options={THEMES.map((value) => ({ value, label: THEME_WORDS[value] }))}
        />
      </Section>
      <Section title="Your workspaces">
        <Table
          label="Your workspaces"
          columns={COLUMNS}
          rows={workspaces}
          rowKey={({ id }) => id}
          href={({ id }) => (seesOwnAlone(me, id) ? paths.home(id) : paths.members(id, { member: user.id }))}
          empty={<EmptyState cause="You are not a member of any workspace." />}
        />
      </Section>
    </AccountPage>
  );
}
