import { messagesModel, messagesModels } from '../../dialects/messages/models-list.ts';
import { authenticate } from '../authenticate.ts';
import type { Caller } from '../caller.ts';
import { callableModels, unknownModel } from '../choose-model.ts';
import { endUnserved } from '../forward.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { modelAnswer, modelsAnswer } from './models-answer.ts';
import { rejectRequest } from '../reject-request.ts';

/**
 * Answers with the models that the calling key may call, or with the one of this id. Other models are unknown to the
 * key. A caller that names a version of Anthropic's API gets that API's form, and chat models only.
 */
export async function serveModels(gate: GatewayDeps, caller: Caller, id: string | null): Promise<void> {
  const isMessages = caller.anthropicVersion !== undefined;
  const principal = await authenticate(gate, caller);
  if ('refusal' in principal) return await endUnserved(gate, caller, { endpoint: 'models', model: id, ...principal });
  const models = callableModels(gate, principal).filter(({ terms }) => !isMessages || terms.kind === 'chat');
  if (id === null) {
    caller.answer(isMessages ? jsonOf(messagesModels(models)) : modelsAnswer(models), []);
    return;
  }
  const model = models.find((candidate) => candidate.id === id);
  if (model === undefined) {
    return rejectRequest(gate, caller, { endpoint: 'models', model: id, principal, refusal: unknownModel(id) });
  }
  caller.answer(isMessages ? jsonOf(messagesModel(model)) : modelAnswer(model), []);
}

function jsonOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
