import encodeQR from 'qr';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { qrModules } from './qr-modules.ts';

/** The number of the mask, which the code's format says. */
function maskOf([, , , , , , , , format]: readonly (readonly boolean[])[]): number {
  const [high, middle, low] = format?.slice(2, 5) ?? [];
  return (high === true ? 0 : 4) + (middle === true ? 2 : 0) + (low === true ? 0 : 1);
}

/** Another encoder's code of the text, with the mask that it finds best if none is given. */
function codeOfAnother(text: string, mask?: number): readonly (readonly boolean[])[] {
  const rows = encodeQR(text, 'raw', {
    ecc: 'medium',
    encoding: 'byte',
    border: 1,
    ...(mask !== undefined && { mask }),
  });
  return rows.slice(1, -1).map((row) => row.slice(1, -1));
}

const drawing = (rows: readonly (readonly boolean[])[]): string =>
  rows.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')).join('\n');

function read(rows: readonly (readonly boolean[])[]): string {
  const [scale, margin] = [4, 4];
  const width = (rows.length + 2 * margin) * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const isDark = rows[Math.floor(y / scale) - margin]?.[Math.floor(x / scale) - margin] ?? false;
      if (isDark) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return decodeQR({ width, height: width, data });
}

const textOf = (length: number): string => 'otpauth://totp/Faregate:ada%40example.com?'.repeat(60).slice(0, length);

/** Bytes that a code of the version holds, from the table of the standard. */
const CAPACITIES = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666, 711, 779, 857, 911,
  997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
];

test('a code of every version has the modules that another encoder draws, and its text is read from it', () => {
  for (const [index, capacity] of CAPACITIES.entries()) {
    const text = textOf(capacity);
    const code = qrModules(text);
    expect(code.length).toBe(21 + index * 4);
    expect(drawing(code)).toBe(drawing(codeOfAnother(text, maskOf(code))));
    if (index < 8) expect(read(code)).toBe(text);
  }
  expect([14, 180, 666, 2331].map((capacity) => qrModules(textOf(capacity + 1)).length)).toEqual([25, 57, 101, 0]);
});

test.each(['a', 'otpauth://totp/Faregate:ada%40example.com?secret=AB', 'Grüße, 東京 🚉'])(
  'the code of %j has the mask that is easiest to read',
  (text) => {
    expect(drawing(qrModules(text))).toBe(drawing(codeOfAnother(text)));
  },
);
