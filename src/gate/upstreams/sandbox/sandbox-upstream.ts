import type { AnswerSink, ChatCall, NativeCall, RunningAttempt, Upstream, UpstreamFault } from '../upstream.ts';
import { wholeBody } from '../whole-body.ts';
import { answerOf, type SandboxAnswer } from './answers.ts';
import { chunkCountOf, chunksOf, completionOf, type Envelope } from './chat-wire.ts';
import { embeddingsAnswer, readEmbeddingsPrompt } from './embedding.ts';
import {
  SANDBOX_CHAT_MODELS,
  SANDBOX_EMBEDDING_MODEL,
  SANDBOX_MAX_OUTPUT,
  SANDBOX_PROVIDER_NAME,
  SANDBOX_MODERATION_MODEL,
  SANDBOX_RERANK_MODEL,
  type SandboxChatModel,
} from './models.ts';
import { Playback, type Score } from './playback.ts';
import { readPrompt } from './prompt.ts';
import { moderationAnswer, readModerationTexts } from './moderation.ts';
import { readRerankPrompt, rerankAnswer } from './rerank.ts';
import { tokensOf } from './tokens.ts';

// A provider inside this process: it needs no network and no key, and it answers the same question the same way.

function noEvents(): Iterator<Buffer, void> {
  return [][Symbol.iterator]();
}

function faultScore(fault: UpstreamFault): Score {
  return { events: noEvents(), ending: { kind: 'fault', fault }, stepMs: 0 };
}

function rejection(callerMessage: string, param: string | null): Score {
  return faultScore({
    kind: 'rejected_request',
    status: 400,
    callerMessage,
    code: null,
    param,
    message: callerMessage,
  });
}

function unknownModel(name: string): Score {
  return faultScore({ kind: 'failed', status: 404, message: `the sandbox has no model ${JSON.stringify(name)}` });
}

function isChatModel(name: string): name is SandboxChatModel {
  return (SANDBOX_CHAT_MODELS as readonly string[]).includes(name);
}

function streamScore(envelope: Envelope, answer: Exclude<SandboxAnswer, { kind: 'fault' }>): Score {
  const events = chunksOf(envelope, answer);
  if (answer.kind === 'half') {
    const ending = answer.fault
      ? ({ kind: 'fault', fault: answer.fault } as const)
      : ({ kind: 'end', done: false } as const);
    return { events, ending, stepMs: 0 };
  }
  return {
    events,
    ending: { kind: 'end', done: true },
    stepMs: answer.durationMs / (chunkCountOf(envelope, answer) + 1),
  };
}

function plainScore(envelope: Envelope, answer: Exclude<SandboxAnswer, { kind: 'fault' }>): Score {
  if (answer.kind === 'half') {
    return faultScore(answer.fault ?? { kind: 'broken', message: 'the sandbox breaks off' });
  }
  const ending = { kind: 'answer', body: completionOf(envelope, answer) } as const;
  return { events: noEvents(), ending, stepMs: answer.durationMs };
}

function chatScore(call: ChatCall, nowMs: number): Score {
  if (!isChatModel(call.upstreamModel)) return unknownModel(call.upstreamModel);
  const prompt = readPrompt(call.request.body);
  if (prompt === null) return rejection('The body is not a JSON object with messages.', 'messages');
  const answer = answerOf(call.upstreamModel, prompt);
  if (answer.kind === 'fault') return faultScore(answer.fault);
  const envelope: Envelope = {
    id: `chatcmpl-${call.requestId}`,
    model: call.upstreamModel,
    created: Math.floor(nowMs / 1_000),
    promptTokens: tokensOf(prompt.textBytes),
    choices: call.request.choices,
    tokensMax: Math.min(
      call.cap ?? SANDBOX_MAX_OUTPUT,
      call.request.maxTokens ?? SANDBOX_MAX_OUTPUT,
      SANDBOX_MAX_OUTPUT,
    ),
  };
  return call.request.stream ? streamScore(envelope, answer) : plainScore(envelope, answer);
}

function embeddingsScore(call: NativeCall): Score {
  if (call.upstreamModel !== SANDBOX_EMBEDDING_MODEL) return unknownModel(call.upstreamModel);
  const prompt = readEmbeddingsPrompt(wholeBody(call));
  if (prompt === null) return rejection('The sandbox embeds texts or tokens into 1 to 4,096 dimensions.', null);
  return answerScore(embeddingsAnswer(prompt, call.upstreamModel));
}

function rerankScore(call: NativeCall): Score {
  if (call.upstreamModel !== SANDBOX_RERANK_MODEL) return unknownModel(call.upstreamModel);
  const prompt = readRerankPrompt(wholeBody(call));
  if (prompt === null) return rejection('The sandbox ranks documents that are texts by a query.', null);
  return answerScore(rerankAnswer(prompt, call.upstreamModel, call.requestId));
}

function moderationScore(call: NativeCall): Score {
  if (call.upstreamModel !== SANDBOX_MODERATION_MODEL) return unknownModel(call.upstreamModel);
  const texts = readModerationTexts(wholeBody(call));
  if (texts === null) return rejection('The sandbox judges texts.', 'input');
  return answerScore(moderationAnswer(texts, call.upstreamModel, call.requestId));
}

function answerScore(body: Buffer): Score {
  return { events: noEvents(), ending: { kind: 'answer', body }, stepMs: 0 };
}

/** The sandbox as an upstream of that name. `now` gives milliseconds since the epoch, for the `created` field. */
export function createSandboxUpstream(name: string = SANDBOX_PROVIDER_NAME, now: () => number = Date.now): Upstream {
  const running = new Set<Playback>();
  let onIdle: (() => void) | null = null;
  let closed: PromiseWithResolvers<void> | null = null;

  function play(score: Score, sink: AnswerSink): RunningAttempt {
    const playback = new Playback(score, sink, (over) => {
      running.delete(over);
      if (running.size === 0) onIdle?.();
    });
    running.add(playback);
    return playback;
  }

  return {
    name,
    needsCap: false,
    structuredSupport: 'strict',
    chat: (call, sink) => play(chatScore(call, now()), sink),
    natives: {
      embeddings: (call, sink) => play(embeddingsScore(call), sink),
      rerank: (call, sink) => play(rerankScore(call), sink),
      moderations: (call, sink) => play(moderationScore(call), sink),
    },
    close() {
      if (running.size === 0) return Promise.resolve();
      const { promise, resolve } = (closed ??= Promise.withResolvers());
      onIdle = resolve;
      return promise;
    },
  };
}
