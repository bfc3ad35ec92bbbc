import type { Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import { objectAt, stringAt, textAt, unfit } from './unfit-request.ts';

// Content parts of a user's message as Gemini's parts. Bytes go inline; an image may also be an address, which Google
// fetches itself.

/** The image types that Gemini reads, by the ending of an address, since it needs the type. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
};

const AUDIO_TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mp3' };

/** URLs that aren't images for Google: hours of video, or files of the key's owner. */
const OTHER_HOSTS = /(^|\.)(youtube\.com|youtu\.be|youtube-nocookie\.com|generativelanguage\.googleapis\.com)$/;

/** The longest head of a data URL: type and parameters. */
const HEAD_MAX = 256;

/** A part of a user's message; `param` names it in refusals. */
export function translatePart(part: JsonView, param: string): Writable {
  const type = textAt(objectAt(part, param).get('type'), `${param}.type`);
  switch (type) {
    case 'text':
      return { text: stringAt(part.get('text'), `${param}.text`) };
    case 'image_url':
      return imageOf(part.get('image_url'), `${param}.image_url`);
    case 'input_audio':
      return audioOf(part.get('input_audio'), `${param}.input_audio`);
    case 'file':
      return fileOf(part.get('file'), `${param}.file`);
    default:
      return unfit(
        `${param}.type`,
        `'${param}.type' must be text, image_url, input_audio or file: this model's provider takes no other.`,
      );
  }
}

function imageOf(image: JsonView | undefined, param: string): Writable {
  const url = image?.text() ?? textAt(image?.get('url'), `${param}.url`);
  return readDataUrl(url) ?? linkedImage(url) ?? unfit(`${param}.url`, wrongImage(`${param}.url`));
}

function wrongImage(param: string): string {
  const endings = Object.keys(IMAGE_TYPES).join(', ');
  return `'${param}' must be a data URL in base64, or the public https address of an image that ends in ${endings}.`;
}

/** Base64 data with its type; null of any other address. */
function readDataUrl(url: string): Writable | null {
  const comma = url.slice(0, HEAD_MAX).indexOf(',');
  const head = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^;,]*)*;base64$/i.exec(url.slice(0, Math.max(comma, 0)));
  return head === null ? null : inline((head[1] as string).toLowerCase(), url.slice(comma + 1));
}

function linkedImage(url: string): Writable | null {
  const address = URL.parse(url);
  if (address === null || address.protocol !== 'https:' || OTHER_HOSTS.test(address.hostname)) return null;
  const ending = address.pathname.split('.').at(-1)?.toLowerCase() ?? '';
  if (!Object.hasOwn(IMAGE_TYPES, ending)) return null;
  return { fileData: { mimeType: IMAGE_TYPES[ending], fileUri: url } };
}

function audioOf(audio: JsonView | undefined, param: string): Writable {
  const format = textAt(audio?.get('format'), `${param}.format`);
  if (!Object.hasOwn(AUDIO_TYPES, format)) return unfit(`${param}.format`, `'${param}.format' must be wav or mp3.`);
  return inline(AUDIO_TYPES[format] as string, textAt(audio?.get('data'), `${param}.data`));
}

function fileOf(file: JsonView | undefined, param: string): Writable {
  const data = file?.get('file_data');
  if (data === undefined) return unfit(param, `'${param}' must have file_data: files are not kept here.`);
  return (
    readDataUrl(textAt(data, `${param}.file_data`)) ??
    unfit(`${param}.file_data`, `'${param}.file_data' must be a data URL in base64.`)
  );
}

function inline(mimeType: string, data: string): Writable {
  return { inlineData: { mimeType, data } };
}
