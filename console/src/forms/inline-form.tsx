import type { ReactNode } from 'react';
import { FormError } from './param-field.tsx';

interface InlineFormProps {
  readonly className?: string;
  /** Why it could not be sent. */
  readonly error: Error | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form in the page. */
export function InlineForm({
  className = 'flex flex-col gap-4',
  error,
  onSubmit,
  children,
}: InlineFormProps): ReactNode {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <FormError value={error}>{children}</FormError>
    </form>
  );
}
