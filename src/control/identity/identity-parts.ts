import type { Refusal } from '../../domain/refusals.ts';
import type { Keyring } from '../encryption/keyring.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import type { AttemptLimits } from './attempts.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { UserAct } from './visitor.ts';

/** A mail to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Queues a mail in the transaction given, which is sent once that has committed. */
export type SendMail = (tx: SqlRunner, mail: Mail) => Promise<void>;

/** Makes a workspace for a user who has signed up, in the transaction given. */
export type OpenWorkspace = (tx: SqlRunner, act: UserAct, name: string) => Promise<{ readonly id: string } | Refusal>;

/** The parts that sign-in, links and invitations need. */
export interface IdentityParts {
  readonly sql: Sql;
  readonly keyring: Keyring;
  readonly hasher: Pick<PasswordHasher, 'hash' | 'check'>;
  readonly limits: AttemptLimits;
  /** Null: no mail is configured, so links are shown to the people who made them. */
  readonly sendMail: SendMail | null;
  /** The address of the console, which links lead to; without a slash at its end. */
  readonly publicUrl: () => string;
  /** Whether people may make accounts of their own. */
  readonly allowsSignUp: boolean;
  readonly openWorkspace: OpenWorkspace;
}
