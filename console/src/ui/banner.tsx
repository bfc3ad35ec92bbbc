import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface BannerProps {
  readonly tone: 'info' | 'warn' | 'danger';
  readonly children: ReactNode;
  /** A button or a link that helps. */
  readonly action?: ReactNode;
}

const LOOKS = {
  info: { Icon: Info, look: 'bg-sunken', icon: 'text-text-3' },
  warn: { Icon: TriangleAlert, look: 'bg-warn-soft', icon: 'text-warn-text' },
  danger: { Icon: CircleAlert, look: 'bg-danger-soft', icon: 'text-danger-text' },
} as const;

/** A state of the page or the workspace that stays until it is dealt with. Results of actions are toasts. */
export function Banner({ tone, children, action }: BannerProps): ReactNode {
  const { Icon, look, icon } = LOOKS[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={`mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control px-3 py-2 ${look}`}
    >
      <div className="flex min-w-0 flex-1 basis-60 gap-2">
        <Icon size={16} strokeWidth={1.5} aria-hidden="true" className={`mt-0.5 shrink-0 ${icon}`} />
        <div className="min-w-0 text-control wrap-anywhere">{children}</div>
      </div>
      {action}
    </div>
  );
}
