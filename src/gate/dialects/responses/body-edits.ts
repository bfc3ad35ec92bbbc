import { type JsonMember, type ObjectEdit, spliceObject, splicedPieces } from '../../openai/json-edit.ts';
import type { ResponsesRequest } from './responses-request.ts';

/** Collects changes to members of a request's body, and applies them in place. */
export class BodyEdits {
  readonly #request: Pick<ResponsesRequest, 'body' | 'layout'>;
  readonly #edits: ObjectEdit[] = [];

  constructor(request: Pick<ResponsesRequest, 'body' | 'layout'>) {
    this.#request = request;
  }

  member(key: string): JsonMember | undefined {
    return this.#request.layout.members.find((member) => member.key === key);
  }

  /** Sets the member to this JSON value; a member that has it already is unchanged. */
  set(key: string, value: Buffer | string): void {
    const member = this.member(key);
    if (member === undefined) this.#edits.push({ kind: 'insert', key, value });
    else if (!this.#request.body.subarray(member.valueStart, member.valueEnd).equals(Buffer.from(value))) {
      this.#edits.push({ kind: 'replace', member, value });
    }
  }

  remove(key: string): void {
    const member = this.member(key);
    if (member !== undefined) this.#edits.push({ kind: 'remove', member });
  }

  /** The body with all changes, in pieces. */
  pieces(): readonly Buffer[] {
    const { body, layout } = this.#request;
    return splicedPieces(body, spliceObject(layout, this.#edits));
  }
}
