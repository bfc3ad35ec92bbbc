import { type BodyFault, type BodyResult, fieldFault } from '../../openai/body-fault.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import type { PricedIn } from '../../openai/known-fields.ts';
import { isMemberFault, MemberReader } from '../../openai/known-members.ts';
import { BodyReader, into, readModel } from '../../openai/request-fields.ts';
import { UnknownFields } from '../../openai/unknown-fields.ts';
import type { NativeBody } from '../native-request.ts';
import { IMAGE_MEMBERS, MODERATIONS_FIELDS, PART_MEMBERS } from './moderations-fields.ts';

/** A moderation request, parsed from its bytes. */
export interface ModerationsRequest extends NativeBody {
  /** The UTF-8 bytes of each text. */
  readonly textSizes: readonly number[];
  readonly images: number;
}

const INPUTS_MAX = 2_048;
/** Three times what INPUTS_MAX parts take. */
const STRUCTURE_MAX = 1_000_000;

const PART = new MemberReader(PART_MEMBERS);
const IMAGE = new MemberReader(IMAGE_MEMBERS);

interface Draft {
  model: string;
  readonly textSizes: number[];
  images: number;
  readonly unknown: UnknownFields;
}

const BODY = new BodyReader<Draft, PricedIn<typeof MODERATIONS_FIELDS>>(STRUCTURE_MAX, MODERATIONS_FIELDS, {
  model: into('model', readModel),
  input: readInput,
});

/** Reads a moderation request; unknown fields are listed. */
export function readModerationsRequest(body: Buffer): BodyResult<ModerationsRequest> {
  const draft: Draft = { model: '', textSizes: [], images: 0, unknown: new UnknownFields() };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  const { model, textSizes, images, unknown } = draft;
  if (model === '') return { ok: false, fault: fieldFault('model', "'model' is missing: name a moderation model.") };
  if (textSizes.length + images === 0)
    return { ok: false, fault: fieldFault('input', "'input' is missing: give a text.") };
  return { ok: true, request: { body, model, textSizes, images, unknown: unknown.list, layout } };
}

/** Reads a text, or a list of texts or of parts. */
function readInput(scan: JsonScan, draft: Draft, param: string): BodyFault | null {
  const wrong = fieldFault(
    param,
    `'${param}' must be a text, or an array of 1 to ${INPUTS_MAX} texts, or parts of the type text or image_url.`,
  );
  if (scan.kind() === 'string') {
    draft.textSizes.push(scan.decodedBytes());
    return null;
  }
  if (!scan.enterArray()) return wrong;
  let count = 0;
  for (; scan.nextElement(); count++) {
    if (count === INPUTS_MAX) return wrong;
    if (scan.kind() === 'string') draft.textSizes.push(scan.decodedBytes());
    else {
      const fault = readPart(scan, draft, `${param}[${count}]`);
      if (fault !== null) return fault;
    }
  }
  return count === 0 && scan.fault === null ? wrong : null;
}

/** Reads a part. One that repeats a member counts for each, because servers differ in which they read. */
function readPart(scan: JsonScan, draft: Draft, where: string): BodyFault | null {
  const wrong = fieldFault(where, `'${where}' must be a text, or an object with a 'text' or an 'image_url'.`);
  if (!scan.enterObject()) return wrong;
  let isEmpty = true;
  while (scan.nextMember()) {
    const name = PART.judge(scan, () => where, draft.unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    isEmpty = false;
    if (name === 'image_url') {
      if (scan.kind() !== 'object') return wrong;
      draft.images++;
      const fault = IMAGE.pass(scan, () => `${where}.image_url`, draft.unknown);
      if (fault !== null) return fault;
    } else {
      if (scan.kind() !== 'string') return wrong;
      draft.textSizes.push(scan.decodedBytes());
    }
  }
  return isEmpty && scan.fault === null ? wrong : null;
}
