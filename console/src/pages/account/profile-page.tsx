import type { ReactNode } from 'react';
import { AccountPage } from '../../components/account-page.tsx';
import { OWN_WORKSPACE_COLUMNS } from '../../components/own-workspace-columns.tsx';
import { ProfileUpdate } from '../../forms/own-account.tsx';
import { paths } from '../../paths.ts';
import { useMe } from '../../session/access.ts';
import { chooseTheme, THEME_WORDS, THEMES, useTheme } from '../../session/theme.ts';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

export function ProfilePage(): ReactNode {
  const { user, workspaces } = useMe();
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
          columns={OWN_WORKSPACE_COLUMNS}
          rows={workspaces}
          rowKey={({ id }) => id}
          href={({ id }) => paths.members(id, { member: user.id })}
          empty={<EmptyState cause="You are not a member of any workspace." />}
        />
      </Section>
    </AccountPage>
  );
}
