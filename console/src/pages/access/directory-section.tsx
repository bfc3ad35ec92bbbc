import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { directoryQuery } from '../../api/workspace-access.ts';
import { Loaded } from '../../components/loaded.tsx';
import { DirectoryActions } from '../../forms/directory-actions.tsx';
import { Copied } from '../../ui/copied.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** The directory of the company, which sends its people and groups. */
export function DirectorySection({ workspace }: { readonly workspace: string }): ReactNode {
  const query = useQuery(directoryQuery(workspace));
  return (
    <Loaded query={query}>
      {(directory) => {
        const { token, base_url: baseUrl, users, active_users: active, groups } = directory;
        return (
          <Section
            title="Directory"
            lead="The directory of your company says by SCIM who its people are. What somebody has here ends when they leave."
            actions={<DirectoryActions workspace={workspace} directory={directory} />}
          >
            <DefinitionList
              items={[
                { term: 'Base URL', value: <Copied text={baseUrl} label="Copy base URL" /> },
                { term: 'Token', value: token?.masked_token ?? 'None: no directory is connected' },
                ...(token === null
                  ? []
                  : [
                      { term: 'Made by', value: token.created_by },
                      {
                        term: 'Last call',
                        value: token.last_used_at === null ? 'None yet' : <Timestamp at={token.last_used_at} />,
                      },
                    ]),
                { term: 'People', value: `${active} active, ${users} in all` },
                { term: 'Groups', value: String(groups) },
              ]}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}
