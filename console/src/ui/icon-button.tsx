import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> {
  /** What it does: its name for screen readers, and its tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
}

/** A button of an icon alone. */
export function IconButton({
  label,
  icon,
  kind = 'quiet',
  className = '',
  unavailable,
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <Tooltip text={unavailable === null || unavailable === undefined ? label : null}>
      {() => (
        <Button
          {...rest}
          kind={kind}
          unavailable={unavailable}
          aria-label={label}
          className={`size-8 max-sm:size-10 px-0! ${className}`}
        >
          {icon}
        </Button>
      )}
    </Tooltip>
  );
}
