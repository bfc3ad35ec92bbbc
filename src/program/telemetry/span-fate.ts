/** What became of spans: exported, or dropped because too many waited or an export failed. */
export const SPAN_FATES = ['exported', 'queue_full', 'export_failed'] as const;
export type SpanFate = (typeof SPAN_FATES)[number];
