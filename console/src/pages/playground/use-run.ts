import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { eventsOf } from '../../api/event-stream.ts';
import { type ChatBody, type Payer, sendChat } from '../../api/playground.ts';
import { announce } from '../../ui/announcements.ts';
import { type Answer, type Chunk, NO_ANSWER, withChunk } from './answer.ts';

/**
 * One request and its answer.
 *
 * - `sending`: nothing has come back yet
 * - `streaming`: its answer has begun
 * - `done`, `stopped` by the user, `failed`: it has ended
 */
export interface Run {
  readonly state: 'sending' | 'streaming' | 'done' | 'stopped' | 'failed';
  readonly answer: Answer;
  /** Null until the answer begins; of a refusal, it is in the error. */
  readonly requestId: string | null;
  readonly error: Error | null;
}

export const isUnderWay = (run: Run | null): boolean => run?.state === 'sending' || run?.state === 'streaming';

/** Whether the request was refused because the workspace has too little credit. */
export const isForWantOfCredit = (run: Run | null): boolean =>
  run?.error instanceof ApiError && run.error.code === 'INSUFFICIENT_BALANCE';

const ENDS = { done: 'The answer is complete.', stopped: 'Stopped.', failed: 'The request failed.' } as const;

interface Running {
  readonly run: Run | null;
  readonly start: (payer: Payer, body: ChatBody) => void;
  readonly stop: () => void;
}

/** Sends one request at a time, and keeps the last one's answer. Leaving the page stops it. */
export function useRun(): Running {
  const [run, setRun] = useState<Run | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = (payer: Payer, body: ChatBody): void => {
    leaving.current?.abort();
    const controller = new AbortController();
    leaving.current = controller;
    const show = (next: Run): void => {
      if (leaving.current !== controller) return;
      setRun(next);
      if (next.state in ENDS) announce(ENDS[next.state as keyof typeof ENDS]);
    };
    void runRequest(payer, body, controller.signal, show);
  };
  return { run, start, stop: () => leaving.current?.abort() };
}

async function runRequest(payer: Payer, body: ChatBody, signal: AbortSignal, show: (run: Run) => void): Promise<void> {
  let run: Run = { state: 'sending', answer: NO_ANSWER, requestId: null, error: null };
  let frame = 0;
  // However many chunks arrive, the page is drawn once a frame.
  const showSoon = (): void => {
    if (frame === 0) {
      frame = requestAnimationFrame(() => {
        frame = 0;
        show(run);
      });
    }
  };
  show(run);
  try {
    const answer = await sendChat(payer, body, signal);
    run = { ...run, state: 'streaming', requestId: answer.headers.get('x-request-id') };
    show(run);
    for await (const data of eventsOf(answer)) {
      if (data === '[DONE]') {
        run = { ...run, state: 'done' };
        break;
      }
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error !== undefined) throw new ApiError(answer.status, chunk.error, run.requestId);
      run = { ...run, answer: withChunk(run.answer, chunk) };
      showSoon();
    }
    if (run.state !== 'done') throw new Error('The answer was cut off: the connection ended before it was complete.');
  } catch (fault) {
    run = signal.aborted ? { ...run, state: 'stopped' } : { ...run, state: 'failed', error: fault as Error };
  }
  cancelAnimationFrame(frame);
  show(run);
}
