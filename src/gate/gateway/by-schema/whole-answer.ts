import type { CompletionRequest } from '../../dialects/dialect.ts';
import { NO_USES, type ToolUses } from '../../../domain/uses.ts';
import { assert } from '../../../lib/assert.ts';
import { LARGE_BYTES, ownTurn } from '../../../lib/own-turn.ts';
import { type Choice, readChoices, replaceContents } from '../../openai/chat-choices.ts';
import { ChatTranscript } from '../../openai/chat-transcript.ts';
import type { ReportedUsage } from '../../openai/usage.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import { usesInAnswer } from '../answers/answer-uses.ts';
import type { AttemptStart } from '../attempts/attempt.ts';
import { gatherStream } from './gathered-stream.ts';
import { NativeTranscript } from './native-transcript.ts';
import { ReplayedStream } from './replayed-stream.ts';
import type { AdmittedRequest } from '../request.ts';
import { textOf } from '../text-of.ts';

/** More than any valid answer by a schema with parsed choices; larger ones are malformed. */
const PARSED_BYTES_MAX = 4 * 2 ** 20;

/** The bound of an answer that is scanned and not parsed: its provider's tools may have put images into it. */
const SCANNED_BYTES_MAX = 32 * 2 ** 20;
const OVERLONG: UpstreamFault = { kind: 'malformed', status: 200, message: 'the answer is longer than it may be' };

type StartedAnswer = Extract<AttemptStart, { kind: 'answer' | 'stream' }>;
type PlainAnswer = Extract<StartedAnswer, { kind: 'answer' }>;
type StreamedAnswer = Extract<StartedAnswer, { kind: 'stream' }>;

/** An answer, plain or streamed, that was read to its end before any of it is sent to the caller. */
export interface WholeAnswer {
  /** By index; of an answer in the caller's dialect, each version that it has of the same choice. */
  readonly choices: ReadonlyMap<number, Choice>;
  readonly usage: ReportedUsage | null;
  readonly contentBytes: number;
  /** Uses of tools that the provider has run. */
  readonly uses: ToolUses;
  /** The fault that left it incomplete; null if it is whole, or its caller has left. */
  readonly fault: UpstreamFault | null;
  /** The answer to pass on, with the contents of these choices replaced; unchanged in the caller's dialect. */
  passOn(contents: ReadonlyMap<number, string>): StartedAnswer;
}

/** The answered request, and its provider. */
interface AnsweredRequest {
  readonly completion: CompletionRequest;
  readonly provider: string;
}

/** Reads a started answer to its end. */
export function readWholeAnswer(
  request: AdmittedRequest,
  begun: StartedAnswer,
  answered: AnsweredRequest,
): Promise<WholeAnswer> {
  if (begun.kind === 'answer') return readPlain(begun, answered.completion);
  return begun.form.isChat ? readChatStream(request, begun, answered) : readNativeStream(request, begun, answered);
}

async function readPlain(begun: PlainAnswer, completion: CompletionRequest): Promise<WholeAnswer> {
  const { body, facts, form } = begun;
  const fault = body.length > (form.isChat ? PARSED_BYTES_MAX : SCANNED_BYTES_MAX) ? OVERLONG : null;
  if (body.length > LARGE_BYTES) await ownTurn();
  const read = (): readonly Choice[] =>
    form.isChat ? readChoices(body) : [choiceReadingOf(completion).ofAnswer(body)];
  return {
    choices: new Map(fault === null ? read().entries() : []),
    usage: facts.usage,
    contentBytes: facts.contentBytes,
    uses: await usesInAnswer(completion, body, form),
    fault,
    passOn: (contents) => ({ ...begun, body: contents.size === 0 ? body : replaceContents(body, contents) }),
  };
}

async function readChatStream(
  request: AdmittedRequest,
  { stream, form }: StreamedAnswer,
  { completion, provider }: AnsweredRequest,
): Promise<WholeAnswer> {
  const transcript = new ChatTranscript();
  const { usageSoFar, ...gathered } = await gatherStream(
    request,
    stream,
    { provider, choices: textOf(completion).choices },
    transcript,
  );
  return {
    ...gathered,
    choices: transcript.choices(),
    uses: completion.tools?.usesOfAnswer ?? NO_USES,
    passOn(contents) {
      const payloads = contents.size === 0 ? transcript.payloads : transcript.withContents(contents);
      return { kind: 'stream', stream: new ReplayedStream(payloads, usageSoFar), form };
    },
  };
}

async function readNativeStream(
  request: AdmittedRequest,
  { stream, form }: StreamedAnswer,
  { completion, provider }: AnsweredRequest,
): Promise<WholeAnswer> {
  const read = textOf(completion).openStream(request.caller.requestId);
  const transcript = new NativeTranscript(read, choiceReadingOf(completion).ofStream());
  const { usageSoFar, ...gathered } = await gatherStream(
    request,
    stream,
    { provider, choices: textOf(completion).choices },
    transcript,
  );
  return {
    ...gathered,
    choices: transcript.choices(),
    uses: read.uses,
    passOn: () => ({ kind: 'stream', stream: new ReplayedStream(transcript.payloads, usageSoFar), form }),
  };
}

function choiceReadingOf({ dialect }: CompletionRequest) {
  const { choiceReading } = dialect;
  assert(choiceReading !== null, 'a dialect whose requests have schemas reads what its answers say');
  return choiceReading;
}
