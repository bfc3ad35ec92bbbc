import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { modelsQuery } from '../api/models.ts';
import { projectQuery } from '../api/projects.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { modelToTry } from './first-request.ts';
import { ProblemPanel } from './problem-panel.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { Snippets } from './snippets.tsx';

interface KeySecretProps {
  readonly apiKey: KeyJson & { readonly key: string };
  readonly title: string;
  readonly children?: ReactNode;
  readonly onSaved: () => void;
  readonly onNext?: () => void;
}

/** Shows the secret of a key once, with requests that use it. */
export function KeySecret({ apiKey, title, children, onSaved, onNext }: KeySecretProps): ReactNode {
  const { workspace_id: workspace, project_id: projectId, key: secret, models: policy } = apiKey;
  const models = useQuery(modelsQuery(workspace));
  const project = useQuery(projectQuery(workspace, projectId));
  return (
    <SecretDialog title={title} what="key" secret={secret} onSaved={onSaved} onNext={onNext}>
      {children}
      <div>
        <h3 className="mb-1 text-body font-semibold">Try it</h3>
        {models.data === undefined || project.data === undefined ? (
          <Skeleton className="w-64" />
        ) : (
          <Snippets model={modelToTry(models.data.data, [project.data.models, policy])} apiKey={secret} />
        )}
        <ProblemPanel error={models.error ?? project.error} />
      </div>
    </SecretDialog>
  );
}
