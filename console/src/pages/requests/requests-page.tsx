import { type ReactNode, useEffect } from 'react';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { isTyping } from '../../ui/use-row-keys.ts';
import { FindRequest } from '../../components/find-request.tsx';
import { OpenRequest } from './open-request.tsx';
import { RefusedRequests } from './refused-requests.tsx';
import { ServedRequests } from './served-requests.tsx';
import { useRequestSearch } from './use-request-search.ts';

const TABS = [
  { id: 'served', label: 'Served' },
  { id: 'refused', label: 'Refused' },
] as const;

/** Below this width there is no room for a request next to the list. */
const ONE_AT_A_TIME = '(width < 1024px)';

/** Escape closes the open request, and gives the focus back to its row. */
function useEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || isTyping(event)) return;
      document.querySelector<HTMLElement>('[data-selected] [data-row-link]')?.focus({ preventScroll: true });
      close();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** The requests of a workspace, served or refused, and next to them the open one. */
export function RequestsPage(): ReactNode {
  const place = useRequestSearch();
  const { workspace, open, list, listHref, go } = place;
  const isNarrow = useMedia(ONE_AT_A_TIME);
  const close = (): void => go(listHref());
  useEscape(open !== null, close);
  if (open !== null && isNarrow) {
    return (
      <Page title="Request" answers={<TextLink href={listHref()}>All requests</TextLink>}>
        <OpenRequest key={open} workspace={workspace} request={open} onClose={null} />
      </Page>
    );
  }
  return (
    <Page
      title="Requests"
      answers="What became of every request, and what it cost."
      actions={<FindRequest onFind={(id) => go(place.requestHref(id))} />}
    >
      <div
        className={
          open === null ? '' : 'grid grid-cols-[minmax(0,1fr)_minmax(0,26rem)] gap-8 xl:grid-cols-[minmax(0,1fr)_30rem]'
        }
      >
        <div className="min-w-0">
          <Tabs label="Requests" tabs={TABS} selected={list} onSelect={(tab) => go(listHref(tab))}>
            {list === 'served' ? <ServedRequests place={place} /> : <RefusedRequests place={place} />}
          </Tabs>
        </div>
        {open !== null && <OpenRequest key={open} workspace={workspace} request={open} onClose={close} />}
      </div>
    </Page>
  );
}
