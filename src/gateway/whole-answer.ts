import { type Choice, readChoices, replaceContents } from '../openai/chat-choices.ts';
import type { ReportedUsage } from '../openai/usage.ts';
import type { UpstreamFault } from '../upstreams/upstream.ts';
import type { AttemptStart } from './attempt.ts';
import { gatherStream } from './gathered-stream.ts';
import { ReplayedStream } from './replayed-stream.ts';
import type { AdmittedRequest } from './request.ts';

/** Larger than any valid answer by a schema, whose choices are parsed; anything larger is malformed. */
const PARSED_BYTES_MAX = 4 * 2 ** 20;
const OVERLONG: UpstreamFault = { kind: 'malformed', status: 200, message: 'the answer is longer than it may be' };

type StartedAnswer = Extract<AttemptStart, { kind: 'answer' | 'stream' }>;

/** An answer, plain or streamed, that was read to its end before any of it is sent to the caller. */
export interface WholeAnswer {
  /** By their index. */
  readonly choices: ReadonlyMap<number, Choice>;
  readonly usage: ReportedUsage | null;
  readonly contentBytes: number;
  /** The fault that left it incomplete; null if it is whole, or its caller has left. */
  readonly fault: UpstreamFault | null;
  /** The answer to pass on, with the contents of these choices replaced. */
  passOn(contents: ReadonlyMap<number, string>): StartedAnswer;
}

/** Reads a started answer to its end. */
export async function readWholeAnswer(
  request: AdmittedRequest,
  begun: StartedAnswer,
  asked: { readonly provider: string; readonly choices: number },
): Promise<WholeAnswer> {
  if (begun.kind === 'answer') {
    const { body, facts } = begun;
    const fault = body.length > PARSED_BYTES_MAX ? OVERLONG : null;
    return {
      choices: new Map(fault === null ? readChoices(body).entries() : []),
      usage: facts.usage,
      contentBytes: facts.contentBytes,
      fault,
      passOn: (contents) => ({ ...begun, body: contents.size === 0 ? body : replaceContents(body, contents) }),
    };
  }
  const { transcript, usageSoFar, ...gathered } = await gatherStream(request, begun.stream, asked);
  return {
    ...gathered,
    choices: transcript.choices(),
    passOn(contents) {
      const payloads = contents.size === 0 ? transcript.payloads : transcript.withContents(contents);
      return { kind: 'stream', stream: new ReplayedStream(payloads, usageSoFar), form: begun.form };
    },
  };
}
