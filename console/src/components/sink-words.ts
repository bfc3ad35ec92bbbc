import type { Redaction, SinkKind, SinkRecord } from '../../../src/domain/sinks.ts';

// How what sinks get is called.

export const SINK_KIND_WORDS: Readonly<Record<SinkKind, string>> = {
  file: 'files',
  s3: 'an S3-compatible store',
  otlp: 'an OpenTelemetry collector',
};

export const RECORD_WORDS: Readonly<Record<SinkRecord, string>> = {
  content: 'Prompts and answers',
  receipts: 'Receipts',
  refusals: 'Refusals',
  audit: 'Audit events',
};

export const REDACTION_WORDS: Readonly<Record<Redaction, string>> = {
  texts: 'All texts',
  mail_addresses: 'Mail addresses',
  phone_numbers: 'Phone numbers',
  card_numbers: 'Card numbers',
  keys: 'API keys',
};
