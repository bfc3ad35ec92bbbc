/** Larger answers are not looked into. */
const BYTES_MAX = 262_144;
const REASONS_MAX = 8;

// Inside of a string a quote is behind a backslash, so these are members and never a model's text.
const REASON = /(?<!\\)"(?:finish_reason|stop_reason|finishReason)"\s*:\s*"([a-zA-Z_]{1,40})"/g;
const RESPONSE = /(?<!\\)"object"\s*:\s*"response(?:\.compaction)?"/;
const INCOMPLETE = /(?<!\\)"incomplete_details"\s*:\s*\{\s*"reason"\s*:\s*"([a-z_]{1,40})"/;

/** Why choices have ended, as their API calls it: from a plain answer, or from an event in which a choice ends. */
export function finishReasons(payload: Buffer): readonly string[] {
  if (payload.length > BYTES_MAX) return [];
  const text = payload.toString('latin1');
  const reasons = Array.from(text.matchAll(REASON), ([, reason = '']) => reason).slice(0, REASONS_MAX);
  if (reasons.length > 0 || !RESPONSE.test(text)) return reasons;
  return [INCOMPLETE.exec(text)?.[1] ?? 'completed'];
}
