import { type BodyFault, fieldFault } from './body-fault.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';

// A chat request for an answer in audio: `modalities` requests it, and `audio` sets the voice and the format.

const FORMATS = ['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16'] as const;

export type AudioFormat = (typeof FORMATS)[number];

const FORMAT_NAMES = new NameTable<AudioFormat>(FORMATS);
const MEMBERS = new NameTable(['voice', 'format']);

/** More than any list of modalities. */
const MODALITIES_BYTES_MAX = 1_024;

/** Reads the value of `modalities`: whether it requests audio. Null and an empty list request nothing. */
export function readModalities(scan: JsonScan): boolean | BodyFault {
  const value: unknown = scan.kind() === 'object' || scan.exceeds(MODALITIES_BYTES_MAX) ? undefined : scan.parsed();
  if (value === null) return false;
  const isKnown =
    Array.isArray(value) &&
    value.every((each, index) => (each === 'text' || each === 'audio') && value.indexOf(each) === index);
  if (isKnown) return value.includes('audio');
  const message = `'modalities' can only be ["text"] or ["text","audio"] here: anything else would cost more than its tokens.`;
  return fieldFault('modalities', message);
}

/** Reads the value of `audio`: the format of the answer, null if the value is null. */
export function readAudio(scan: JsonScan): AudioFormat | BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  if (!scan.enterObject()) return fieldFault('audio', `'audio' must be an object with a voice and a format.`);
  let hasVoice = false;
  let format: AudioFormat | null = null;
  while (scan.nextMember()) {
    const name = scan.keyIn(MEMBERS);
    if (name === undefined) return fieldFault('audio', `'audio' can only hold 'voice' and 'format' here.`);
    if (name === 'voice' ? hasVoice : format !== null)
      return fieldFault(`audio.${name}`, `'audio.${name}' is given twice.`);
    if (name === 'voice') {
      if (scan.kind() !== 'string') return voiceFault(scan);
      scan.skip();
      hasVoice = true;
    } else {
      format = (scan.kind() === 'string' ? scan.stringIn(FORMAT_NAMES) : undefined) ?? null;
      if (format === null) return formatFault();
    }
  }
  if (format === null) return formatFault();
  return hasVoice ? format : voiceFault(null);
}

/** A voice of the operator's own is an object that names it in the operator's account. */
function voiceFault(scan: JsonScan | null): BodyFault {
  const message =
    scan?.kind() === 'object'
      ? `'audio.voice' can only be the name of a voice here: voices with an id are kept in the provider's account, which all workspaces share.`
      : `'audio.voice' must be the name of a voice, such as "alloy".`;
  return fieldFault('audio.voice', message);
}

function formatFault(): BodyFault {
  return fieldFault('audio.format', `'audio.format' must be one of ${FORMATS.join(', ')}.`);
}

/** The fault of a request in which only one field requests audio, or which combines audio with a schema. */
export function faultOfAudio(asks: boolean, format: AudioFormat | null, hasSchema: boolean): BodyFault | null {
  if (asks && format === null) {
    return fieldFault('audio', `'audio' is missing: 'modalities' asks for audio, so name a voice and a format.`);
  }
  if (!asks && format !== null) {
    return fieldFault('audio', `'audio' is only taken beside 'modalities': ["text","audio"].`);
  }
  if (!asks || !hasSchema) return null;
  const message = `'response_format' with a JSON schema is not possible beside audio: what is spoken can't be held to a schema.`;
  return fieldFault('response_format', message);
}

/**
 * Base64 characters per token of audio. OpenAI counts a token per 50 ms; samples of 16 bits at 24 kHz are 48,000 bytes
 * a second, or 64,000 characters. A compressed format has no fixed rate, so the lowest usual rate for speech is used,
 * and a second is never underestimated. In bytes a second: flac 12,000, mp3 and aac 4,000, opus 2,000.
 */
const BASE64_PER_TOKEN: Readonly<Record<AudioFormat, number>> = {
  pcm16: 3_200,
  wav: 3_200,
  flac: 800,
  mp3: 266,
  aac: 266,
  opus: 133,
};

/** An estimate of the tokens of this much audio if the provider reports none; rather too high than too low. */
export function estimateAudioTokens(format: AudioFormat, base64Bytes: number): number {
  return Math.ceil(base64Bytes / BASE64_PER_TOKEN[format]);
}
