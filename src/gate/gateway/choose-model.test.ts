import { expect, test } from 'vitest';
import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import { chooseChatModel, chooseModel, unknownModel } from './choose-model.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';

const MODELS = ['open', 'closed'].map((id) => ({ id, terms: { kind: 'chat', maxOutput: 9 }, routes: [] }));
const GATE = {
  catalogue: { find: (id: string) => MODELS.find((model) => model.id === id), list: () => MODELS },
} as unknown as GatewayDeps;
const PRINCIPAL = { workspaceId: 'w', policies: [['open']] } as unknown as Principal;

const codeOf = (chosen: Model | { readonly code: string }): string => ('code' in chosen ? chosen.code : chosen.id);

test.each([
  ['open', 'open'],
  ['closed', 'MODEL_NOT_ALLOWED'],
  ['none', 'MODEL_NOT_FOUND'],
])('a key may have requests answered, and tokens counted, by the models of its policies alone: %s', (id, chosen) => {
  const parsed = {
    request: { model: id, dialect: { modelKind: 'chat' }, text: { maxTokens: null }, audio: null, tier: null },
  } as unknown as ParsedRequest;
  expect(codeOf(chooseModel(GATE, PRINCIPAL, parsed))).toBe(chosen);
  expect(codeOf(chooseChatModel(GATE, PRINCIPAL, id))).toBe(chosen);
});

test('the refusal of a model that is not there names it, and says where those are listed that may be called', () => {
  expect(unknownModel('none')).toMatchObject({
    param: 'model',
    message:
      'The model `none` does not exist or you do not have access to it. ' +
      'GET /v1/models lists the models that this key may call.',
  });
});
