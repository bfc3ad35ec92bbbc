import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

/** Leads to another page, in place of this one. The router's own component begins again at each rendering. */
export function LeadTo({ href }: { readonly href: string }): ReactNode {
  const navigate = useNavigate();
  useEffect(() => void navigate({ href, replace: true }), [navigate, href]);
  return null;
}
