import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { LINK_MAKER_MAY, type Maker } from './makers.ts';
import { linkSecretHash, makeLinkSecret } from './secrets.ts';
import { newId } from '../../lib/uuid7.ts';

// Links that do one thing once: make the first owner, set a password, make an account. The secret stands behind the "#",
// which browsers send to no server, and only its hash is stored.

export type LinkPurpose = 'set_up' | 'reset' | 'sign_up';

/** How long each works. */
const LIFETIMES: Readonly<Record<LinkPurpose, string>> = { set_up: '24 hours', reset: '2 hours', sign_up: '24 hours' };

/** The page of the console that each leads to. */
const PAGES: Readonly<Record<LinkPurpose | 'invitation', string>> = {
  set_up: '/set-up',
  reset: '/reset-password',
  sign_up: '/sign-up',
  invitation: '/invitation',
};

/** A link's address in the console. */
export function linkUrl(publicUrl: string, purpose: LinkPurpose | 'invitation', secret: string): string {
  return `${publicUrl}${PAGES[purpose]}#${secret}`;
}

export interface NewLink {
  readonly purpose: LinkPurpose;
  readonly userId?: string;
  readonly email?: string;
  /** Whether it is sent to the address that it is for, so that its bearer reads the mail there. */
  readonly isMailed: boolean;
  /** The person or program that made it for another; null: it is mailed to the person who asked for it. */
  readonly maker: Maker | null;
  /** The workspace by a right in which the maker made it; null: by an operator's right, or without need of one. */
  readonly byRightIn?: string | null;
}

/** A link as it was made. */
export interface Link {
  readonly id: string;
  readonly userId: string | null;
  readonly email: string | null;
  readonly isMailed: boolean;
  readonly byRightIn: string | null;
}

/** Makes a link; resolves with its secret. Earlier links of the user for the same purpose end. */
export async function makeLink(tx: SqlRunner, link: NewLink): Promise<string> {
  const { purpose, userId, email, isMailed, maker, byRightIn = null } = link;
  const { secret, sha256 } = makeLinkSecret();
  await tx.query(
    `update one_time_links set claimed_at = now() where user_id = $1 and purpose = $2 and claimed_at is null`,
    [userId ?? null, purpose],
  );
  await tx.query(
    `insert into one_time_links (id, purpose, token_sha256, user_id, email, mailed, made_by_user, made_by_token,
       by_right_in, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + interval '${LIFETIMES[purpose]}')`,
    [
      newId(),
      purpose,
      sha256,
      userId ?? null,
      email ?? null,
      isMailed,
      maker?.userId ?? null,
      maker?.tokenId ?? null,
      byRightIn,
    ],
  );
  return secret;
}

const COLUMNS = 'id, user_id as "userId", email, mailed as "isMailed", by_right_in as "byRightIn"';
const IS_OPEN = `token_sha256 = $1 and purpose = $2 and claimed_at is null and expires_at > now() and ${LINK_MAKER_MAY}`;

/** The refusal of a link; the same for every reason. */
export function deadLink(): Refusal {
  return refuse('INVALID_REQUEST', 'This link does not work any more: it was used, has expired, or was cut off.', {
    param: 'token',
  });
}

/** The link with this secret, unclaimed; or the refusal. */
export async function findLink(sql: SqlRunner, purpose: LinkPurpose, secret: string): Promise<Link | Refusal> {
  const [link] = await sql.query<Link>(`select ${COLUMNS} from one_time_links where ${IS_OPEN}`, [
    linkSecretHash(secret),
    purpose,
  ]);
  return link ?? deadLink();
}

/** Claims the link with this secret, which only one caller ever does; or the refusal. */
export async function claimLink(tx: SqlRunner, purpose: LinkPurpose, secret: string): Promise<Link | Refusal> {
  const [link] = await tx.query<Link>(
    `update one_time_links set claimed_at = now() where ${IS_OPEN} returning ${COLUMNS}`,
    [linkSecretHash(secret), purpose],
  );
  return link ?? deadLink();
}

/** Ends the open links that can set a user's password: called once it is set, or the user's rights change. */
export async function endResetLinks(tx: SqlRunner, userId: string): Promise<void> {
  await tx.query(
    `update one_time_links set claimed_at = now() where user_id = $1 and purpose = 'reset' and claimed_at is null`,
    [userId],
  );
}
