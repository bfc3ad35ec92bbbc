// The page is whole without this script. It writes this server's own address into the examples, says whether the
// server is ready, and copies.

const EXAMPLE_ORIGIN = 'http://127.0.0.1:8080';
const COPIED_SHOWN_MS = 2_000;

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

function showOrigin(): void {
  for (const example of document.querySelectorAll('[data-origin]')) {
    example.textContent = example.textContent.replace(EXAMPLE_ORIGIN, location.origin);
  }
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

async function showHealth(): Promise<void> {
  const ready = await isReady();
  const health = element('health');
  health.classList.toggle('ready', ready);
  health.textContent = ready ? 'Ready' : 'Not ready';
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(element(button.dataset['copy'] ?? '').textContent);
  button.textContent = 'Copied';
  element('announcement').textContent = 'Copied to the clipboard';
  setTimeout(() => {
    button.textContent = 'Copy';
    element('announcement').textContent = '';
  }, COPIED_SHOWN_MS);
}

/** Shows the copy buttons where there is a clipboard: on HTTPS and on this machine's own addresses. */
function offerCopying(): void {
  if (!window.isSecureContext) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      copy(button).catch(() => {
        element('announcement').textContent = 'Copying was not allowed';
      });
    });
  }
}

showOrigin();
offerCopying();
await showHealth();
