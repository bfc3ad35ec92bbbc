import encodeQR from 'qr';
import type { ReactNode } from 'react';

/** The light margin that readers need, in modules. */
const MARGIN = 4;

/** A QR code, black on white in either theme, since many readers know no other. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: MARGIN });
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-control"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
