import { redacted } from './redacted-content.ts';
import type { ContentRecord, LossNote, SinkBatch } from './sink-batch.ts';
import { streamedAnswer } from './streamed-answer.ts';

interface BatchLines {
  /** Lines of JSON without line breaks. */
  readonly lines: readonly string[];
  /** Records with unreadable content. */
  readonly unreadable: number;
}

/** The lines of a batch, content redacted. */
export function linesOf({ records, lost, workspaceId }: SinkBatch): BatchLines {
  const lines = records.map((record) => (typeof record === 'string' ? record : contentLine(record)));
  const readable = lines.filter((line) => line !== null);
  const note = lost === null ? [] : [lossLine(workspaceId, lost)];
  return { lines: [...note, ...readable], unreadable: lines.length - readable.length };
}

/** Null if it can't be read: nothing of what is not understood is delivered. */
function contentLine({ fields, redact, prompt, answer, streamed }: ContentRecord): string | null {
  const redactions = new Set(redact);
  try {
    return JSON.stringify({
      ...fields,
      redacted: redact,
      prompt: redacted(jsonIn(prompt), redactions),
      answer: answer === null ? null : redacted(answerIn(answer, streamed), redactions),
    });
  } catch {
    return null;
  }
}

function answerIn(answer: Uint8Array<ArrayBuffer>, streamed: boolean): unknown {
  return streamed ? streamedAnswer(viewOf(answer)) : jsonIn(answer);
}

function jsonIn(bytes: Uint8Array<ArrayBuffer>): unknown {
  return JSON.parse(viewOf(bytes).toString());
}

function viewOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

function lossLine(workspaceId: string, { sinceMs, untilMs, records }: LossNote): string {
  return JSON.stringify({
    record: 'lost',
    workspace_id: workspaceId,
    since: new Date(sinceMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    records: Object.values(records).reduce((sum, count) => sum + count, 0),
    reasons: records,
  });
}
