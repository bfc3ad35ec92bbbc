import { fieldFault, type BodyFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';

// Refuses references to something stored at the provider: all workspaces share the operator's account there, so an id
// could name another workspace's file.

/** Members that name something kept at the provider. */
const ID_NAMES = new NameTable(['file_id', 'file_ids', 'container_id', 'vector_store_id', 'vector_store_ids']);

export interface KeptRule {
  /**
   * Whether items may name something stored at the provider: true if they were checked when they arrived, or were
   * written by it for the same workspace.
   */
  readonly mayNameKept: boolean;
}

/** The fault of a member that names something kept at the provider. */
export function keptElsewhere(where: string): BodyFault {
  return fieldFault(
    where,
    `'${where}' refers to something kept at the provider, which isn't possible here; send it in the request.`,
  );
}

/** Whether this member names something stored at the provider, and may not. */
export function namesKept(scan: JsonScan, { mayNameKept }: KeptRule, name: string): boolean {
  return !mayNameKept && (name === 'file_id' || name === 'container_id') && scan.kind() === 'string';
}

/** Searches an item of unknown type, at every depth, for ids of things stored at the provider. */
export function findInUnknown(scan: JsonScan, start: number, where: string): BodyFault | null {
  const end = scan.at;
  scan.at = start;
  const found = findId(scan);
  scan.at = end;
  return found === null ? null : keptElsewhere(`${where}.${found}`);
}

/** The name of a member that holds such an id; null if there is none. The scan bounds how deep a body nests. */
function findId(scan: JsonScan): string | null {
  if (scan.enterArray()) {
    while (scan.nextElement()) {
      const found = findId(scan);
      if (found !== null) return found;
    }
    return null;
  }
  if (scan.enterObject()) {
    while (scan.nextMember()) {
      const name = scan.keyIn(ID_NAMES);
      const kind = scan.kind();
      if (name !== undefined && (kind === 'string' || kind === 'array')) return name;
      const found = findId(scan);
      if (found !== null) return found;
    }
    return null;
  }
  scan.skip();
  return null;
}
