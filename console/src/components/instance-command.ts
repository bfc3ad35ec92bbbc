// The commands of the whole instance.

export const instanceCommand = {
  verify: () => ['ledger', 'verify'],
  apply: (accept: readonly string[]) => ['catalogue', 'apply', ...accept.flatMap((model) => ['--accept', model])],
  createToken: (name: string, isReadOnly: boolean) => [
    'token',
    'create',
    '--name',
    name === '' ? 'NAME' : name,
    ...(isReadOnly ? ['--read-only'] : []),
  ],
  revokeToken: (token: string) => ['token', 'revoke', token],
};
