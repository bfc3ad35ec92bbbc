import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

/** Positions of the first and the last bar of a range. */
export type Range = readonly [number, number];

interface RangeChoice {
  /** The bar under the pointer or the keyboard. */
  readonly cursor: number | null;
  /** The range that is being chosen. */
  readonly range: Range | null;
  readonly moveTo: (bar: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
  readonly pointer: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerLeave: () => void;
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerCancel: () => void;
  };
}

/** Which bar a key leads to from the one at a position; null for a key that leads nowhere. */
function barAfter(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return Math.min(at + 1, count - 1);
  if (key === 'ArrowLeft') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/**
 * Chooses a range of bars: by dragging, or by arrow keys with Shift and then Enter. Escape takes it back.
 *
 * idle ─ pointer down, Shift + arrow → choosing ─ pointer up, Enter → idle, chosen
 *                                               ─ Escape, blur, pointer cancelled → idle
 */
export function useRange(count: number, onChoose: (range: Range) => void, onClear: () => void): RangeChoice {
  const isDragging = useRef(false);
  const [cursor, setCursor] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);

  const choose = (from: number, to: number): void => {
    setAnchor(null);
    onChoose([Math.min(from, to), Math.max(from, to)]);
  };
  const barAt = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const bar = Math.floor(((event.clientX - left) / Math.max(1, width)) * count);
    return Math.max(0, Math.min(count - 1, bar));
  };
  const cancel = (): void => {
    isDragging.current = false;
    setAnchor(null);
  };
  return {
    cursor,
    range: anchor === null || cursor === null ? null : [Math.min(anchor, cursor), Math.max(anchor, cursor)],
    moveTo: (bar) => {
      setAnchor(null);
      setCursor(bar);
    },
    onKeyDown: (event) => {
      const at = cursor ?? count - 1;
      const next = event.shiftKey ? barAfter(event.key, at, count) : null;
      if (next !== null) {
        setAnchor(anchor ?? at);
        setCursor(next);
      } else if (event.key === 'Enter') choose(anchor ?? at, at);
      else if (event.key === 'Escape') {
        cancel();
        onClear();
      } else return;
      event.preventDefault();
    },
    onBlur: () => {
      setCursor(null);
      cancel();
    },
    pointer: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        isDragging.current = true;
        setAnchor(barAt(event));
        setCursor(barAt(event));
      },
      onPointerMove: (event) => setCursor(barAt(event)),
      onPointerLeave: () => isDragging.current || setCursor(null),
      onPointerUp: (event) => {
        if (isDragging.current && anchor !== null) choose(anchor, barAt(event));
        isDragging.current = false;
      },
      onPointerCancel: cancel,
    },
  };
}
