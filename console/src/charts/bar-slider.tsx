import type { InputHTMLAttributes, ReactNode } from 'react';

interface BarSliderProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'onBlur' | 'onKeyDown'> {
  readonly label: string;
  /** The present bar in words. */
  readonly words: string | undefined;
  readonly count: number;
  readonly current: number | null;
  readonly onMove: (index: number) => void;
}

/** Lets keys and screen readers go from bar to bar; it begins at the last one. */
export function BarSlider({ label, words, count, current, onMove, ...events }: BarSliderProps): ReactNode {
  const last = Math.max(0, count - 1);
  return (
    <input
      type="range"
      className="sr-only"
      aria-label={label}
      aria-valuetext={words ?? 'no bar'}
      min={0}
      max={last}
      value={current ?? last}
      onChange={(event) => onMove(Number(event.target.value))}
      onFocus={() => onMove(count - 1)}
      {...events}
    />
  );
}
