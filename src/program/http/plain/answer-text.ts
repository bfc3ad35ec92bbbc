import { STATUS_CODES } from 'node:http';

const SECOND_MS = 1_000;

/** Headers of several makers, each with names and values in turn; not joined, since each answer has some. */
export type HeaderLists = readonly (readonly string[])[];

let dateSecond = 0;
let dateText = '';

/** The time as HTTP writes it; made once a second. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / SECOND_MS);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * SECOND_MS).toUTCString();
  }
  return dateText;
}

/**
 * The head of an answer. `headers`: lists of names and values in turn. `keepAliveSeconds`: how long the connection stays open
 * for another request; null if it ends with this answer.
 */
export function answerHead(status: number, headers: HeaderLists, keepAliveSeconds: number | null): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (const list of headers) for (let at = 0; at < list.length; at += 2) text += `${list[at]}: ${list[at + 1]}\r\n`;
  text += `date: ${httpDate(Date.now())}\r\n`;
  return keepAliveSeconds === null
    ? `${text}connection: close\r\n\r\n`
    : `${text}connection: keep-alive\r\nkeep-alive: timeout=${keepAliveSeconds}\r\n\r\n`;
}

/** The end of a chunked answer. */
export const LAST_CHUNK = '0\r\n\r\n';

const HEX = 16;

/** Frames latin1 text as one chunk of a chunked answer. */
export function chunkText(text: string): string {
  return `${text.length.toString(HEX)}\r\n${text}\r\n`;
}
