import type { ReactNode } from 'react';
import { Sheet } from '../ui/sheet.tsx';
import { Sidebar } from './sidebar.tsx';

interface MenuSheetProps {
  readonly workspace: string | null;
  readonly onClose: () => void;
}

/** The sidebar on a phone. */
export function MenuSheet({ workspace, onClose }: MenuSheetProps): ReactNode {
  return (
    <Sheet open side="left" title="Menu" onClose={onClose}>
      {/* The names of places stand below the sheet's title. */}
      <div className="-mx-4 h-full">
        <Sidebar workspace={workspace} onFollow={onClose} />
      </div>
    </Sheet>
  );
}
