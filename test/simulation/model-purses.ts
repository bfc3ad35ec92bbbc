import type { NanoUsd } from '../../src/domain/money.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { NO_ROW, type PurseKind, type PurseName } from '../../src/gate/purses/ports/database.ts';

// Purses of the model of the database, and which of them a receipt names.

/** A limit that holds until an instant, if it is above the ordinary one. */
export interface Raise {
  readonly limit: NanoUsd;
  readonly untilMs: number;
}

export interface ModelPurse {
  readonly id: bigint;
  readonly name: PurseName;
  limit: NanoUsd | null;
  raise: Raise | null;
  spent: NanoUsd;
  leased: NanoUsd;
  mode: 'wet' | 'dry';
}

export function purseIdsOf(receipt: Receipt): readonly bigint[] {
  const { creditPurseId, projectPurseId, keyPurseId, memberPurseId, endUserPurse, sessionPurse } = receipt;
  const further = [memberPurseId, endUserPurse?.purseId, sessionPurse?.purseId];
  return [creditPurseId, projectPurseId, keyPurseId, ...further.filter((id) => id !== undefined)];
}

/** The ids of a late receipt's purses, as it names them. */
export function idsIn(purses: readonly ModelPurse[], { endUserPurse, sessionPurse }: Receipt): Partial<Receipt> {
  const idFor = (kind: PurseKind): bigint => purses.find(({ name }) => name.kind === kind)?.id ?? NO_ROW;
  const memberPurseId = idFor('member');
  return {
    creditPurseId: idFor('credit'),
    projectPurseId: idFor('project'),
    keyPurseId: idFor('key'),
    ...(memberPurseId !== NO_ROW && { memberPurseId }),
    ...(endUserPurse && { endUserPurse: { ...endUserPurse, purseId: idFor('end_user') } }),
    ...(sessionPurse && { sessionPurse: { ...sessionPurse, purseId: idFor('session') } }),
  };
}
