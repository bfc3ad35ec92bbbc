import type { CompletionRequest } from '../../dialects/dialect.ts';
import { NO_USES, type ToolUses } from '../../../domain/uses.ts';
import { andThen, type MaybeAsync } from '../../../lib/maybe-async.ts';
import { LARGE_BYTES, ownTurn } from '../../../lib/own-turn.ts';
import type { AnswerForm } from '../attempts/attempt.ts';

/** Uses of tools that the provider has run for a plain answer: none if the request was translated. */
export function usesInAnswer(
  { tools }: Pick<CompletionRequest, 'tools'>,
  answer: Buffer,
  { isChat }: Pick<AnswerForm, 'isChat'>,
): MaybeAsync<ToolUses> {
  if (tools === null || tools.bound === null) return NO_USES;
  if (tools.usesOfAnswer !== null) return tools.usesOfAnswer;
  if (isChat) return NO_USES;
  return andThen(answer.length > LARGE_BYTES ? ownTurn() : undefined, () => tools.usesIn(answer));
}
