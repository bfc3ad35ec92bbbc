import { randomUUID } from 'node:crypto';

// Images and documents are most of a body that has any, and they are not parsed. While the rest is parsed, translated
// and written, their base64 is left in the original, and a mark that no caller can guess replaces it.

const BASE64 = Buffer.from(';base64,');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The text before the base64 of an image or a PDF, in full or, if it is long, in part. */
const MEDIA_HEAD = /^data:(?:image\/|application\/pdf)[^",]*$/i;
const HEAD_BYTES_MAX = 96;

/** Less than this is as soon parsed as lifted. */
const LIFTED_BYTES_MIN = 16 * 1024;

/** A string in which base64 is announced more often than this is a text about such things. */
const HEADS_MAX = 16;

export interface LiftedBody {
  /** The document with marks. */
  readonly json: string;
  /** Writes a document derived from it, with the marks replaced by the media. */
  readonly restore: (json: string) => Buffer;
}

/** Replaces media of at least `bytesMin` bytes in a JSON document by marks. */
export function liftMedia(document: Buffer, bytesMin: number = LIFTED_BYTES_MIN): LiftedBody {
  const mark = `media-${randomUUID()}-`;
  const lifted: Buffer[] = [];
  let json = '';
  let from = 0;
  let end = -1;
  let plainFrom = 0;
  let heads = 0;
  for (let at = document.indexOf(BASE64); at !== -1;) {
    const start = at + BASE64.length;
    if (start > end) {
      end = document.indexOf(QUOTE, start);
      // With an escape in it, the quote might not be the string's last.
      plainFrom = start + document.subarray(start, end).lastIndexOf(BACKSLASH) + 1;
      heads = 0;
    }
    let next = at + 1;
    if (end - start < bytesMin || heads === HEADS_MAX) next = end;
    else if (start < plainFrom) next = plainFrom;
    else {
      heads++;
      if (isMediaHead(document.toString('latin1', Math.max(from, at - HEAD_BYTES_MAX), at))) {
        json += `${document.toString('utf8', from, start)}${mark}${lifted.length};`;
        lifted.push(document.subarray(start, end));
        from = end;
        next = end;
      }
    }
    at = document.indexOf(BASE64, next);
  }
  json += document.toString('utf8', from);
  return { json, restore: (made) => (lifted.length === 0 ? Buffer.from(made) : restore(made, mark, lifted)) };
}

function isMediaHead(head: string): boolean {
  return MEDIA_HEAD.test(head.slice(Math.max(0, head.toLowerCase().lastIndexOf('data:'))));
}

function restore(json: string, mark: string, lifted: readonly Buffer[]): Buffer {
  const [first = '', ...rest] = json.split(mark);
  const pieces = rest.flatMap((piece) => {
    const number = piece.slice(0, piece.indexOf(';'));
    return [lifted[Number(number)] ?? Buffer.alloc(0), Buffer.from(piece.slice(number.length + 1))];
  });
  return Buffer.concat([Buffer.from(first), ...pieces]);
}
