import type { ReactNode } from 'react';
import { qrModules } from './qr-modules.ts';

/** The light margin that readers need, in modules. */
const MARGIN = 4;

/** A QR code, black on white in either theme, since many readers know no other. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const modules = qrModules(text);
  const dark = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])),
  );
  const width = modules.length + 2 * MARGIN;
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
