import { fieldFault, type BodyReading } from './body-fault.ts';
import { BodyReader, isFault, readModel } from './request-fields.ts';

/** What a request for any endpoint says of itself: the model's id. */
export interface ModelRequest {
  readonly model: string;
}

const BODY = new BodyReader<{ model: string }>({
  model: (scan, draft) => {
    const model = readModel(scan);
    if (isFault(model)) return model;
    draft.model = model;
    return null;
  },
});

/** Reads which model a body asks for, whatever its endpoint; its other fields are only checked as JSON. */
export function readModelRequest(body: Buffer): BodyReading<ModelRequest> {
  const draft = { model: '' };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  if (draft.model === '')
    return { ok: false, fault: fieldFault('model', "'model' is missing: name the model that shall answer.") };
  return { ok: true, request: draft };
}
