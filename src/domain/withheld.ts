// What a session or a token lacks for the workspaces that it would have a role in.

export const WITHHELD = {
  company_sign_in: 'This workspace takes members of your domain only from the provider of your company: sign in there.',
  second_factor: 'This workspace asks its members for a second factor: give a code of your authenticator app.',
  network: 'This workspace is not to be used from your address.',
} as const;

/** Why a role in a workspace does not count. */
export type Withheld = keyof typeof WITHHELD;

/** The names of all reasons. */
export const WITHHELD_REASONS = Object.keys(WITHHELD) as [Withheld, ...Withheld[]];
