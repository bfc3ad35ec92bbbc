import { randomUUID } from 'node:crypto';

// Images and documents are most of a body that has any, and nobody looks into them. While the rest is parsed, translated
// and rendered, their base64 stays where it is, and a mark that no caller can guess stands in its place.

const BASE64 = Buffer.from(';base64,');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What stands before the base64 of an image or a PDF, in full or, where it is long, in part. */
const MEDIA_HEAD = /data:(?:image\/|application\/pdf)[^",]*$/i;
const HEAD_BYTES_MAX = 96;

/** Less than this is as soon parsed as lifted. */
const LIFTED_BYTES_MIN = 16 * 1024;

export interface LiftedBody {
  /** The document with marks. */
  readonly json: string;
  /** A document made of it, with what the marks stand for. */
  readonly restore: (json: string) => Buffer;
}

/** Takes media of at least `bytesMin` bytes out of a JSON document. */
export function liftMedia(document: Buffer, bytesMin: number = LIFTED_BYTES_MIN): LiftedBody {
  const mark = `media-${randomUUID()}-`;
  const lifted: Buffer[] = [];
  let json = '';
  let from = 0;
  for (let at = document.indexOf(BASE64); at !== -1; at = document.indexOf(BASE64, at + 1)) {
    const start = at + BASE64.length;
    const end = document.indexOf(QUOTE, start);
    if (end - start < bytesMin) continue;
    const head = document.toString('latin1', Math.max(from, at - HEAD_BYTES_MAX), at);
    const media = document.subarray(start, end);
    // With an escape in it, the quote might not be the string's last.
    if (!MEDIA_HEAD.test(head) || media.includes(BACKSLASH)) continue;
    json += `${document.toString('utf8', from, start)}${mark}${lifted.length};`;
    lifted.push(media);
    from = end;
    at = end;
  }
  json += document.toString('utf8', from);
  return { json, restore: (made) => (lifted.length === 0 ? Buffer.from(made) : restore(made, mark, lifted)) };
}

function restore(json: string, mark: string, lifted: readonly Buffer[]): Buffer {
  const [first = '', ...rest] = json.split(mark);
  const pieces = rest.flatMap((piece) => {
    const number = piece.slice(0, piece.indexOf(';'));
    return [lifted[Number(number)] ?? Buffer.alloc(0), Buffer.from(piece.slice(number.length + 1))];
  });
  return Buffer.concat([Buffer.from(first), ...pieces]);
}
