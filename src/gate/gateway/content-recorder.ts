import type { Principal } from '../../domain/principal.ts';
import type { EndedRequest } from './observer.ts';

// The port to those who keep prompts and answers for a workspace that wants it. Nothing of a request waits for them.

/** Begins the recording of requests; the program implements it. */
export interface ContentRecorder {
  /** Null: nothing of this request is recorded. */
  begin(principal: Principal, requestId: string): ContentRecording | null;
}

/** The recording of one admitted request. It gets bodies, and no headers. */
export interface ContentRecording {
  /** The next part of the answer in the caller's dialect: all of a plain one, or latin1 text of a stream's events. */
  answered(part: Buffer | string): void;
  /** The request has ended. `prompt`: its body as the caller sent it. Called once, on every way out. */
  ended(request: EndedRequest, prompt: Buffer): void;
}

/** Records nothing. */
export const NO_CONTENT: ContentRecorder = Object.freeze({ begin: () => null });
