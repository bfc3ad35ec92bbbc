import { refuse } from '../../../domain/refusals.ts';
import { type Caller, IDEMPOTENCY_HEADER, REPLAYED_HEADER } from '../caller.ts';
import { chargeHeader } from '../answers/charge-header.ts';
import { ANSWER_BYTES_MAX } from './claim.ts';
import type { Replay } from './claim-key.ts';
import type { ParsedRequest } from '../read.ts';

/** Answers a repeat with the first request's answer and id. Nothing is charged. */
export function serveReplay(caller: Caller, parsed: ParsedRequest, { requestId, answer, charge }: Replay): void {
  const headers = [REPLAYED_HEADER, requestId];
  if (answer === null) {
    caller.refuse(
      refuse(
        'INVALID_REQUEST',
        `Request ${requestId} with this ${IDEMPOTENCY_HEADER} was answered and charged, but its answer was larger than the limit of ${ANSWER_BYTES_MAX} bytes for stored answers, or was lost with its process or in the restore of a backup. This repeat was not run.`,
        { param: IDEMPOTENCY_HEADER, shouldRetry: false },
      ),
    );
  } else if (parsed.request.text?.stream === true) {
    caller.startStream(headers);
    caller.write(answer.toString('latin1'));
    caller.end();
  } else {
    // The bytes of a stream include its charge.
    caller.answer(answer, charge === undefined ? headers : [...headers, ...chargeHeader(charge)]);
  }
}
