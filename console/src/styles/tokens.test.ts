import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Colours as people see them: from OKLCH to linear sRGB, with the matrices of Björn Ottosson, and of Machado et al. for
// the ways of seeing that lack a cone.

type Rgb = readonly [number, number, number];
type Theme = 'light' | 'dark';

const CSS = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const TOKEN = /--([\w-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\);/g;

const TEXT_CONTRAST_MIN = 4.5;
const SHAPE_CONTRAST_MIN = 3;
/** Distances in OKLab: 0.02 is what an eye can just make out side by side. */
const SERIES_DISTANCE_MIN = 0.08;
const SERIES_GREY_DISTANCE_MIN = 0.03;

const SIGHTS: Readonly<Record<string, readonly Rgb[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const inGamut = (channel: number): number => Math.min(1, Math.max(0, channel));
const dot = (row: Rgb, [r, g, b]: Rgb): number => row[0] * r + row[1] * g + row[2] * b;

function rgbOf(oklch: string): Rgb {
  const [lightness = 0, chroma = 0, hue = 0] = oklch.split(' ').map(Number);
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const cones: Rgb = [
    (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  return [
    inGamut(dot([4.0767416621, -3.3077115913, 0.2309699292], cones)),
    inGamut(dot([-1.2684380046, 2.6097574011, -0.3413193965], cones)),
    inGamut(dot([-0.0041960863, -0.7034186147, 1.707614701], cones)),
  ];
}

function oklabOf(rgb: Rgb): Rgb {
  const cones: Rgb = [
    Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], rgb)),
    Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], rgb)),
    Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], rgb)),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

const luminance = (rgb: Rgb): number => dot([0.2126, 0.7152, 0.0722], rgb);

const TOKENS: Readonly<Record<Theme, ReadonlyMap<string, Rgb>>> = {
  light: new Map([...CSS.matchAll(TOKEN)].map(([, name = '', light = '']) => [name, rgbOf(light)])),
  dark: new Map([...CSS.matchAll(TOKEN)].map(([, name = '', , dark = '']) => [name, rgbOf(dark)])),
};

function tokenOf(theme: Theme, name: string): Rgb {
  const rgb = TOKENS[theme].get(name);
  if (rgb === undefined) throw new Error(`no token ${name}`);
  return rgb;
}

function contrast(theme: Theme, one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(tokenOf(theme, one)), luminance(tokenOf(theme, other))].toSorted(
    (a, b) => a - b,
  );
  return (bright + 0.05) / (dim + 0.05);
}

/** Pairs with less contrast than they need, with what they have. */
function tooFaint(pairs: readonly (readonly [string, string])[], least: number): readonly string[] {
  return (['light', 'dark'] as const).flatMap((theme) =>
    pairs
      .map(([one, other]) => ({ one, other, ratio: contrast(theme, one, other) }))
      .filter(({ ratio }) => ratio < least)
      .map(({ one, other, ratio }) => `${theme}: ${one} on ${other} has ${ratio.toFixed(2)}`),
  );
}

const across = (names: readonly string[], grounds: readonly string[]): readonly (readonly [string, string])[] =>
  names.flatMap((name) => grounds.map((ground) => [name, ground] as const));

const GROUNDS = ['bg', 'surface', 'sunken'];
const SOFT = ['accent-soft', 'warn-soft', 'danger-soft'];
const SERIES = Array.from({ length: 8 }, (_, index) => `series-${index + 1}`);

test('words have a contrast of 4.5 to 1 on each ground that they stand on, in both themes', () => {
  const words = ['text', 'text-2', 'text-3', 'accent-text', 'warn-text', 'danger-text'];
  expect(tooFaint(across(words, GROUNDS), TEXT_CONTRAST_MIN)).toEqual([]);
  expect(tooFaint(across(['text', 'text-2'], SOFT), TEXT_CONTRAST_MIN)).toEqual([]);
  const ownGround = ['accent', 'warn', 'danger'].map((role) => [`${role}-text`, `${role}-soft`] as const);
  expect(
    tooFaint([...ownGround, ['on-danger', 'danger'], ['bg', 'text'], ['bg', 'text-2']], TEXT_CONTRAST_MIN),
  ).toEqual([]);
});

test('controls, focus, status shapes and series have a contrast of 3 to 1 on each ground, in both themes', () => {
  const shapes = ['edge', 'focus', 'accent', 'warn', 'danger'];
  expect(tooFaint(across(shapes, GROUNDS), SHAPE_CONTRAST_MIN)).toEqual([]);
  expect(tooFaint(across([...SERIES, 'series-other'], ['bg', 'surface']), SHAPE_CONTRAST_MIN)).toEqual([]);
});

test('any two series stay apart for people who lack a cone, and in grey', () => {
  const pairs = SERIES.flatMap((one, index) => SERIES.slice(index + 1).map((other) => [one, other] as const));
  for (const theme of ['light', 'dark'] as const) {
    for (const [sight, matrix] of Object.entries(SIGHTS)) {
      const seen = (name: string): Rgb => {
        const [r, g, b] = matrix.map((row) => inGamut(dot(row, tokenOf(theme, name))));
        return oklabOf([r ?? 0, g ?? 0, b ?? 0]);
      };
      for (const [one, other] of pairs) {
        const [p, q] = [seen(one), seen(other)];
        const distance = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        expect(distance, `${theme}, ${sight}: ${one}, ${other}`).toBeGreaterThan(SERIES_DISTANCE_MIN);
      }
    }
    for (const [one, other] of pairs) {
      const [p, q] = [luminance(tokenOf(theme, one)), luminance(tokenOf(theme, other))].map((y) => Math.cbrt(y));
      expect(Math.abs((p ?? 0) - (q ?? 0)), `${theme}, grey: ${one}, ${other}`).toBeGreaterThan(
        SERIES_GREY_DISTANCE_MIN,
      );
    }
  }
});
