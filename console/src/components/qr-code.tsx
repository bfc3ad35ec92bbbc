import { correction, generate } from 'lean-qr/nano';
import type { ReactNode } from 'react';

/** The light margin that readers need, in modules. */
const MARGIN = 4;

/** A QR code, black on white in either theme, since many readers know no other. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const places = Array.from({ length: code.size }, (_, index) => index);
  const dark = places.flatMap((y) =>
    places.flatMap((x) => (code.get(x, y) ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])),
  );
  const width = code.size + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${width}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-control"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
