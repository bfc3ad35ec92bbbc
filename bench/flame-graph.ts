import type { Frame } from './cpu-profile.ts';

// A flame graph as one SVG without scripts: each box is a function, as wide as its share of the time, on top of its
// caller. Hovering over one shows its name and share.

const WIDTH = 1_600;
const ROW = 17;
const SHARE_MIN = 0.0005;
const CHARACTER = 6.6;
const IDLE = '(idle)';

interface Box {
  readonly frame: Frame;
  readonly depth: number;
  readonly from: number;
  readonly share: number;
}

function boxesOf(frame: Frame, totalUs: number, depth: number, from: number): Box[] {
  const share = frame.totalUs / totalUs;
  if (share < SHARE_MIN) return [];
  const boxes: Box[] = [{ frame, depth, from, share }];
  let at = from;
  for (const child of frame.children) {
    if (child.name === IDLE) continue;
    boxes.push(...boxesOf(child, totalUs, depth + 1, at));
    at += child.totalUs / totalUs;
  }
  return boxes;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function colourOf({ isOurs, place }: Frame): string {
  if (isOurs) return '#f4a259';
  if (place.startsWith('node:')) return '#8cb8e0';
  return place === 'native' ? '#c9c9c9' : '#a8d5a2';
}

/** Draws the tree. Orange is ours, blue Node's, green a package's, grey native. */
export function flameGraph(tree: Frame): string {
  const idleUs = tree.children.reduce((sum, { name, totalUs }) => sum + (name === IDLE ? totalUs : 0), 0);
  const boxes = boxesOf({ ...tree, totalUs: tree.totalUs - idleUs }, tree.totalUs - idleUs, 0, 0);
  const rows = Math.max(...boxes.map(({ depth }) => depth)) + 1;
  const rects = boxes.map(({ frame, depth, from, share }) => {
    const [x, y, width] = [from * WIDTH, (rows - depth - 1) * ROW, share * WIDTH];
    const label = frame.name.slice(0, Math.max(0, Math.floor(width / CHARACTER) - 1));
    const title = `${frame.name} ${frame.place} ${(share * 100).toFixed(1)} %`;
    return (
      `<g><title>${escaped(title)}</title>` +
      `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame)}"/>` +
      `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(label)}</text></g>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${rows * ROW}" font-family="monospace" ` +
    `font-size="11">\n${rects.join('\n')}\n</svg>\n`
  );
}
