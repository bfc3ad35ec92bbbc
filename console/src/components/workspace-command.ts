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
  price: (workspace: string, model: string | null, percent: string | null) => [
    'workspace',
    'price',
    workspace,
    ...(model === null ? [] : ['--model', model]),
    ...priceOptions(percent),
  ],
  close: (workspace: string) => ['workspace', 'close', workspace],
};

/** A change as the command says it; null ends the adjustment. */
function priceOptions(percent: string | null): readonly string[] {
  if (percent === null) return ['--clear'];
  return percent.startsWith('-') ? ['--discount', `${percent.slice(1)}%`] : ['--markup', `${percent}%`];
}
