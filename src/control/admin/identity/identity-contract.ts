import { z } from '@hono/zod-openapi';
import { PERMISSIONS, ROLES } from '../../../domain/roles.ts';
import { WITHHELD_REASONS } from '../../../domain/withheld.ts';
import { PASSWORD_RULES } from '../../identity/password-rules.ts';
import { RAISE_SETTINGS } from '../../resources/raise-settings.ts';
import { MEMBER_SETTINGS } from '../../resources/member-settings.ts';
import { choice, creationName, id, limitUsd, standing, time, timestamp } from '../contract-fields.ts';
import { answeredFields, requestedFields } from '../setting-fields.ts';

// The contract of users, sessions, members and tokens.

const NAME_HELP = 'must be 1 to 100 characters, without control characters or spaces at either end';
export const name = z.string({ error: NAME_HELP }).regex(/^(?!\s)[^\p{Cc}\p{Cs}]{1,100}(?<!\s)$/u, NAME_HELP);

const EMAIL_HELP = 'must be an email address';
const email = z
  .string({ error: EMAIL_HELP })
  .max(320, EMAIL_HELP)
  .openapi({ format: 'email', example: 'ada@example.com' });

const PASSWORD_HELP = 'must be a text of 1 to 1024 characters';
const password = z.string({ error: PASSWORD_HELP }).min(1, PASSWORD_HELP).max(1_024, PASSWORD_HELP);
const newPassword = password.openapi({ description: PASSWORD_RULES });

const CODE_HELP = 'must be a code of an authenticator app, or a recovery code';
const code = z.string({ error: CODE_HELP }).min(1, CODE_HELP).max(40, CODE_HELP).openapi({ example: '123456' });

const LINK_HELP = 'must be what stands behind the "#" of the link';
const linkToken = z.string({ error: LINK_HELP }).min(1, LINK_HELP).max(200, LINK_HELP);

/** What a link has behind its "#". */
export const LINK_EXAMPLE = 'Xb3zR0cV8yLw1oPq5tNf7uHk2sJd9aGe4mIi6rTx0hQ';

const role = choice(ROLES);
const scope = choice(PERMISSIONS as readonly [string, ...string[]]);

export const signInOptions = z
  .object({
    openid: z.object({ name: z.string() }).nullable().openapi({ description: 'The provider to sign in at, if any.' }),
    own_providers: z
      .boolean()
      .openapi({ description: 'Whether people of some workspaces sign in at a provider of their own.' }),
    sign_up: z.boolean().openapi({ description: 'Whether people may make accounts of their own.' }),
    passkeys: z.boolean().openapi({ description: 'Whether passkeys can be used at the address of this request.' }),
    mail: z.boolean().openapi({ description: 'Whether a link for a new password can be mailed.' }),
    set_up_needed: z.boolean().openapi({ description: 'Whether the instance has no operator with an account yet.' }),
    password_rules: z.string(),
  })
  .openapi('SignInOptions');

export const ownProvider = z
  .object({
    workspace_id: id
      .nullable()
      .openapi({ description: 'To name at the beginning of the sign-in; null: it is no company of this instance.' }),
  })
  .openapi('OwnProvider');

export const setUp = z.strictObject({ token: linkToken, email, name, password: newPassword }).openapi('SetUp');
export const signIn = z.strictObject({ email, password, code: code.optional() }).openapi('SignIn');
export const confirmation = z.strictObject({ password, code: code.optional() }).openapi('Confirmation');
export const mailRequest = z.strictObject({ email }).openapi('MailRequest');
export const signUp = z
  .strictObject({
    token: linkToken,
    name,
    password: newPassword,
    workspace: name.optional().openapi({ description: 'The name of a workspace to make for the account.' }),
  })
  .openapi('SignUp');
export const passwordReset = z.strictObject({ token: linkToken, password: newPassword }).openapi('PasswordReset');
export const newPasswordOnly = z.strictObject({ password: newPassword }).openapi('NewPassword');
export const linkOnly = z.strictObject({ token: linkToken }).openapi('LinkToken');
export const acceptance = z
  .strictObject({
    token: linkToken,
    name: name.optional().openapi({ description: 'For an account that is made; without it the session accepts.' }),
    password: newPassword.optional(),
  })
  .openapi('Acceptance');

export const user = z
  .object({
    id,
    email: z.string(),
    email_verified: z.boolean(),
    name: z.string(),
    has_password: z.boolean(),
    has_authenticator: z.boolean(),
    has_passkey: z.boolean(),
    is_operator: z.boolean(),
    disabled_at: timestamp.nullable(),
    erased_at: timestamp.nullable().openapi({ description: 'When the person was erased; null: they were not.' }),
    created_at: timestamp,
    version: z.int(),
  })
  .openapi('User');

export const listedUser = user
  .extend({
    last_seen_at: timestamp.nullable().openapi({ description: 'Null if they are signed in nowhere.' }),
    sessions: z.int().openapi({ description: 'In how many browsers they are signed in.' }),
    workspaces: z.array(z.object({ id, name: z.string(), role })),
  })
  .openapi('ListedUser');

export const me = z
  .object({
    user,
    session: z.object({
      id: z.string(),
      authenticated_at: timestamp,
      provider_workspace_id: id
        .nullable()
        .openapi({ description: 'The workspace at whose own provider the user has signed in.' }),
    }),
    workspaces: z.array(
      z.object({
        id,
        name: z.string(),
        role,
        state: z.enum(['active', 'suspended', 'closing']),
        withheld: z
          .enum(WITHHELD_REASONS)
          .nullable()
          .openapi({ description: 'Why the role does not count in this session.' }),
        moved_to: z
          .string()
          .nullable()
          .openapi({ description: 'The cell in which it lives now; null: in this one. The role counts there alone.' }),
        moved_to_url: z.string().nullable().openapi({ description: 'The address of that cell.' }),
      }),
    ),
  })
  .openapi('Me');

export const currentSession = z.object({ me: z.union([me, z.null()]) }).openapi('CurrentSession');

export const signedIn = z
  .object({ signed_in: z.boolean().openapi({ description: 'False: the password was set; sign in with it.' }) })
  .openapi('SignedIn');
export const accepted = z.object({ accepted: z.literal(true) }).openapi('Accepted');
export const ended = z.object({ ended: z.int() }).openapi('EndedSessions');
export const done = z.object({ done: z.literal(true) }).openapi('Done');

export const session = z
  .object({
    id,
    is_this: z.boolean(),
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: timestamp,
    last_seen_at: timestamp,
    expires_at: timestamp,
  })
  .openapi('Session');

export const userRename = z.strictObject({ name }).openapi('UserRename');
export const userChange = z
  .strictObject({ disabled: z.boolean().optional(), operator: z.boolean().optional() })
  .openapi('UserChange');

export const userErasure = z
  .strictObject({
    leave_without_owner: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether workspaces may be left without an owner; otherwise this is refused.' }),
  })
  .openapi('UserErasure');
export const erasedUser = z
  .object({
    id,
    email: z.string().openapi({ description: 'What stands in the place of the address.' }),
    audit_events: z.int().openapi({ description: 'How many audit events named the person.' }),
    postings: z.int().openapi({ description: 'How many postings of credit did.' }),
  })
  .openapi('ErasedUser');

export const authenticator = z
  .object({
    secret: z.string().openapi({ description: 'In base 32, for people who type it.' }),
    uri: z.string().openapi({ description: 'For a QR code.' }),
  })
  .openapi('Authenticator');
export const codeOnly = z.strictObject({ code }).openapi('AuthenticatorCode');
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) }).openapi('RecoveryCodes');

export const accessTokenCreation = z
  .strictObject({
    workspace_id: id,
    name,
    scopes: z.array(scope).min(1).max(PERMISSIONS.length),
    expires_at: time.openapi({ description: 'Within 365 days.' }),
    once: creationName.optional(),
  })
  .openapi('AccessTokenCreation');

export const accessToken = z
  .object({
    id,
    workspace_id: id,
    name: z.string(),
    masked_token: z.string(),
    scopes: z.array(z.string()),
    created_at: timestamp,
    expires_at: timestamp,
    last_used_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .openapi('AccessToken');
const shownToken = z
  .string()
  .nullable()
  .openapi({ description: 'Null: the answer to an earlier request with the same `once` had it.' });

export const createdAccessToken = accessToken.extend({ token: shownToken }).openapi('CreatedAccessToken');

const memberStanding = z
  .object(standing)
  .nullable()
  .openapi({ description: 'How the limit stands in this month; null without one.' });

export const member = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    role,
    ...answeredFields(MEMBER_SETTINGS),
    ...answeredFields(RAISE_SETTINGS),
    standing: memberStanding,
    is_last_owner: z.boolean().openapi({ description: 'Stays an owner until another member is made one.' }),
    has_authenticator: z.boolean(),
    has_passkey: z.boolean(),
    disabled_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
    created_at: timestamp,
    version: z.int(),
  })
  .openapi('Member');
export const memberChange = z
  .strictObject({ role: role.optional(), ...requestedFields({ ...MEMBER_SETTINGS, ...RAISE_SETTINGS }) })
  .openapi('MemberChange');

export const invitationCreation = z
  .strictObject({
    email,
    role,
    days: z
      .int()
      .min(1)
      .max(30)
      .optional()
      .openapi({ description: 'For how many days it can be accepted; 7 unless given.' }),
    once: creationName.optional(),
  })
  .openapi('InvitationCreation');
export const invitation = z
  .object({
    id,
    email: z.string(),
    role,
    mailed: z.boolean(),
    invited_by: z.string().nullable().openapi({ description: "The inviting user's address; null: the operator." }),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .openapi('Invitation');
export const createdInvitation = invitation
  .extend({
    link: z.string().nullable().openapi({
      description:
        'To pass on to the invited person; null: it was mailed, or was in the answer to an earlier request with the same `once`.',
    }),
  })
  .openapi('CreatedInvitation');
const COLLEAGUES_MAX = 50;
export const colleagues = z
  .strictObject({
    emails: z.array(email).min(1).max(COLLEAGUES_MAX),
    role,
    days: invitationCreation.shape.days,
    monthly_limit_usd: limitUsd.optional().openapi({
      description:
        'What each may spend in a calendar month over all their keys. Left out: the limit that the workspace has for those who join.',
    }),
    key_project: z.string().min(1).max(200).optional().openapi({
      description: 'The project in which a key is made for each, by id or name. Left out: no keys are made.',
    }),
    once: creationName.optional(),
  })
  .openapi('Colleagues');
export const invitedColleagues = z
  .object({
    data: z.array(
      createdInvitation.extend({
        key: z.string().nullable().openapi({
          description:
            'The key in full, which becomes theirs when they join. It is not shown again; null: none was asked for, or an earlier answer had it.',
        }),
      }),
    ),
  })
  .openapi('InvitedColleagues');
export const invitationOffer = z
  .object({ workspace: z.string(), email: z.string(), role, has_account: z.boolean(), expires_at: timestamp })
  .openapi('InvitationOffer');

export const link = z.object({ link: z.string() }).openapi('Link');

export const operatorTokenCreation = z
  .strictObject({
    name,
    read_only: z.boolean().optional(),
    backup: z.boolean().optional().openapi({
      description:
        'Whether a read-only token may download backups, too. They hold what proves who everybody is. Tokens that are not read-only may do everything.',
    }),
    once: creationName.optional(),
  })
  // Somebody who wants backups alone must not get a token for everything.
  .refine((given) => given.read_only === true || given.backup !== true, {
    error: 'needs read_only: a token that is not read-only may do everything',
    path: ['backup'],
  })
  .openapi('OperatorTokenCreation');
export const operatorToken = z
  .object({
    id,
    name: z.string(),
    masked_token: z.string(),
    read_only: z.boolean(),
    backup: z.boolean().openapi({ description: 'Whether it may download backups.' }),
    created_by: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .openapi('OperatorToken');
export const createdOperatorToken = operatorToken.extend({ token: shownToken }).openapi('CreatedOperatorToken');
export const rotatedToken = z.object({ token: z.string() }).openapi('RotatedToken');

export type OperatorTokenCreation = z.input<typeof operatorTokenCreation>;
export type OperatorTokenJson = z.infer<typeof operatorToken>;
export type InvitationOfferJson = z.infer<typeof invitationOffer>;
export type MeJson = z.infer<typeof me>;
export type AuthenticatorJson = z.infer<typeof authenticator>;
export type SessionJson = z.infer<typeof session>;
export type AccessTokenJson = z.infer<typeof accessToken>;
export type AccessTokenCreation = z.input<typeof accessTokenCreation>;
export type CreatedAccessTokenJson = z.infer<typeof createdAccessToken>;
export type UserChange = z.input<typeof userChange>;
export type MemberJson = z.infer<typeof member>;
export type MemberChange = z.input<typeof memberChange>;
export type InvitationJson = z.infer<typeof invitation>;
export type InvitationCreation = z.input<typeof invitationCreation>;
export type Colleagues = z.input<typeof colleagues>;
export type InvitedColleaguesJson = z.infer<typeof invitedColleagues>;
export type CreatedInvitationJson = z.infer<typeof createdInvitation>;
export type ListedUserJson = z.infer<typeof listedUser>;
