import type { AnswerSink, RunningAttempt, UpstreamFault } from './upstream.ts';

/** An attempt that fails before anything is sent. The sink gets the fault once the caller has the attempt. */
export function failedAttempt(fault: UpstreamFault, sink: AnswerSink): RunningAttempt {
  let isOver = false;
  queueMicrotask(() => {
    if (!isOver) sink.fault(fault);
  });
  return { pause() {}, resume() {}, abort: () => void (isOver = true) };
}
