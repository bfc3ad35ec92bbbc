// The commands of the whole instance.

interface ExportBounds {
  /** Days; empty: no bound. */
  readonly from: string;
  readonly to: string;
  readonly isJson: boolean;
}

export const instanceCommand = {
  providers: () => ['provider', 'list'],
  verify: () => ['ledger', 'verify'],
  proofs: () => ['ledger', 'proofs'],
  seals: () => ['ledger', 'seals'],
  seal: () => ['ledger', 'seal', 'DATE'],
  corrections: () => ['ledger', 'corrections'],
  exportRecords: (workspace: string, what: string, { from, to, isJson }: ExportBounds) => [
    'ledger',
    'export',
    what,
    workspace === '' ? 'WORKSPACE' : workspace,
    ...(from === '' ? [] : ['--from', from]),
    ...(to === '' ? [] : ['--to', to]),
    ...(isJson ? ['--json'] : []),
  ],
  apply: (accept: readonly string[]) => ['catalogue', 'apply', ...accept.flatMap((model) => ['--accept', model])],
  processes: () => ['processes'],
  settings: () => ['settings'],
  backup: () => ['backup', 'faregate.backup'],
  disableUser: (email: string, isDisabled: boolean) => ['user', isDisabled ? 'disable' : 'enable', email],
  signOut: (email: string) => ['user', 'sign-out', email],
  createToken: (name: string, rights: { readonly read_only: boolean; readonly backup: boolean }) => [
    'token',
    'create',
    '--name',
    name === '' ? 'NAME' : name,
    ...(rights.read_only ? ['--read-only'] : []),
    ...(rights.backup ? ['--backup'] : []),
  ],
  revokeToken: (token: string) => ['token', 'revoke', token],
};
