import { formatUsd, groupDigits, type NanoUsd } from '../../domain/money.ts';
import { unreachable } from '../../lib/assert.ts';
import type { AlertKind } from '../../domain/alert-kinds.ts';

// The text of mails. Names are user input, so everything is escaped in HTML.

const CENT: NanoUsd = 10_000_000n;
/** More alerts of one moment are counted, not listed. */
const LISTED_MAX = 20;

/** An amount as people read it, exactly: "5,000.00 USD". */
export function writeUsd(amount: NanoUsd): string {
  return `${formatUsd(amount).replace(/\d+/, groupDigits)} USD`;
}

/** The same to the cent, unless it is less than one. */
export function roundUsd(amount: NanoUsd): string {
  const cents = amount / CENT;
  return writeUsd(cents === 0n ? amount : cents * CENT);
}

/** A day as people read it: "1 December 2026". Days are those of UTC. */
export function writeDay(at: Date): string {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** What the reader can do. */
function remedyOf(kind: AlertKind): string {
  switch (kind) {
    case 'balance_below':
    case 'balance_share':
    case 'runway':
      return 'Requests are refused once the balance does not cover them. Top the workspace up.';
    case 'project_budget':
      return "Requests of the project are refused once they do not fit into what is left. Raise the project's budget, or wait for its next window.";
    case 'key_limit':
      return "Requests of the key are refused once they do not fit into what is left. Raise the key's limit, or wait for the next month.";
    case 'member_limit':
      return "Requests of the member's keys are refused once they do not fit into what is left. Raise the member's limit, or wait for the next month.";
    case 'end_user_limit':
      return 'Requests for such an end user are refused once they do not fit into what is left. Raise the limit of one end user or of each, or wait for its next window.';
    case 'session_limit':
      return "Requests of such a session are refused once they do not fit into what is left. Raise the project's limit of sessions.";
    case 'auto_top_up_stopped':
      return 'Until then the balance rises by payments that somebody makes, and requests are refused once it does not cover them. See its payment settings.';
    case 'payment_after_closing':
      return 'It is refunded by itself if its provider is still configured, and is among the problems of the instance until then.';
    case 'provider_key_refused':
      return 'Its routes are skipped until its key is corrected in the config file.';
    case 'ledger_difference':
      return 'Take a backup before anything is changed, and run "faregate ledger verify".';
    default:
      return unreachable(kind);
  }
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Announcement {
  readonly kind: AlertKind;
  readonly ruleName: string;
  /** The workspace; null: the instance. */
  readonly workspaceName: string | null;
  /** A sentence for each alert, one at least. */
  readonly summaries: readonly string[];
  /** The page on which the reader can act; null: none. */
  readonly url: string | null;
}

/** The mail about alerts that one rule has raised at one moment. */
export function mailTextOf({ kind, ruleName, workspaceName, summaries, url }: Announcement): MailText {
  const listed = summaries.slice(0, LISTED_MAX);
  const unlisted = summaries.length - listed.length;
  const more = unlisted > 0 ? [`And ${unlisted} more.`] : [];
  const [first = ''] = listed;
  const subject = summaries.length === 1 ? first : `${summaries.length} alerts: ${ruleName}`;
  const owner = workspaceName === null ? 'of the operator' : `of the workspace "${workspaceName}"`;
  const footer = `This mail was sent because of the alert rule "${ruleName}" ${owner}.`;
  const paragraphs = [...listed, ...more, ...(url === null ? [] : [url]), remedyOf(kind)];
  return {
    subject: `[Faregate] ${subject}`,
    text: `${[...paragraphs, `-- \n${footer}`].join('\n\n')}\n`,
    html: `<!doctype html><html><body>${paragraphs.map((each) => (each === url ? linkTo(each) : paragraph(each))).join('')}<hr>${paragraph(footer)}</body></html>`,
  };
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function linkTo(url: string): string {
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text where HTML stands, in an element or an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
