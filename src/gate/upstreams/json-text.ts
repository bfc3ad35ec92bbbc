import { JsonView } from './json-view.ts';

/** Values that can be written as JSON: views and buffers of JSON keep their bytes, undefined members are left out. */
export type Writable =
  | JsonView
  | Buffer
  | string
  | number
  | boolean
  | null
  | readonly Writable[]
  | { readonly [key: string]: Writable | undefined };

/** The JSON of a value. */
export function toJson(value: Writable): Buffer {
  const pieces: (Buffer | string)[] = [];
  write(value, pieces);
  return join(pieces);
}

/** A value's JSON without white space between its tokens. */
export function compactJson(view: JsonView): string {
  if (view.kind === 'array') return `[${view.elements().map(compactJson).join(',')}]`;
  if (view.kind !== 'object') return view.bytes.toString();
  const members = [...view.members()].map(([key, member]) => `${JSON.stringify(key)}:${compactJson(member)}`);
  return `{${members.join(',')}}`;
}

function write(value: Writable, pieces: (Buffer | string)[]): void {
  if (value instanceof JsonView) pieces.push(value.bytes);
  else if (Buffer.isBuffer(value)) pieces.push(value);
  else if (isList(value)) writeAll('[', value, ']', pieces, (element) => write(element, pieces));
  else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    writeAll('{', members, '}', pieces, ([key, member]) => {
      pieces.push(`${JSON.stringify(key)}:`);
      write(member as Writable, pieces);
    });
  } else pieces.push(JSON.stringify(value));
}

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}

function writeAll<Item>(
  opening: string,
  items: readonly Item[],
  closing: string,
  pieces: (Buffer | string)[],
  writeItem: (item: Item) => void,
): void {
  pieces.push(opening);
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(',');
    writeItem(item);
  }
  pieces.push(closing);
}

/** Neighbouring texts become one buffer, for they are many and short. */
function join(pieces: readonly (Buffer | string)[]): Buffer {
  const buffers: Buffer[] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    buffers.push(Buffer.from(text), piece);
    text = '';
  }
  buffers.push(Buffer.from(text));
  return Buffer.concat(buffers);
}
