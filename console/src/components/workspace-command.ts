// The commands of workspaces.

export const workspaceCommand = {
  create: (name: string) => ['workspace', 'create', name === '' ? 'NAME' : name],
  rename: (workspace: string, name: string) => ['workspace', 'rename', workspace, name === '' ? 'NAME' : name],
  suspend: (workspace: string, reason: string) => [
    'workspace',
    'suspend',
    workspace,
    '--reason',
    reason === '' ? 'REASON' : reason,
  ],
  resume: (workspace: string) => ['workspace', 'resume', workspace],
  close: (workspace: string) => ['workspace', 'close', workspace],
};
