import { htmlReply, type PortalReply } from '../http/portalReply.ts';
import { escapeHtml } from './escapeHtml.ts';
import { pageHeaders } from './pageHeaders.ts';
import type { RefusalReason } from './reportAccess.ts';

interface Message {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const messages: Readonly<Record<RefusalReason | 'nothing-here' | 'ended', Message>> = {
  missing: {
    status: 403,
    title: 'This report needs a key',
    text: 'The address contains no key. Open the report from its application.',
  },
  tampered: {
    status: 403,
    title: 'This key is not valid',
    text: 'The key was changed, or was not issued by this portal. Open the report again from its application.',
  },
  foreign: {
    status: 403,
    title: 'This key belongs to another organization',
    text: 'The key was issued for another tenant. Open the report again from its application.',
  },
  unknown: {
    status: 404,
    title: 'This report does not exist',
    text: 'There is no report with this ID in this tenant. It may have been removed.',
  },
  'other-report': {
    status: 403,
    title: 'This key is for another report',
    text: 'The key was issued for another report. Open the report again from its application.',
  },
  expired: {
    status: 403,
    title: 'Your access to this report has ended',
    text: 'The key has expired. Open the report again from its application.',
  },
  revoked: {
    status: 403,
    title: 'Your access to this report was withdrawn',
    text: 'The key was revoked. Open the report again from its application.',
  },
  'nothing-here': {
    status: 404,
    title: 'Page not found',
    text: 'Only embedded reports are available at this address.',
  },
  ended: { status: 403, title: 'Your access to this report has ended', text: 'The key has expired.' },
};

const icon = `<svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true"><rect x="6" y="10" width="36" height="28" rx="4" fill="none" stroke="currentColor" stroke-width="2.5"/><path d="M14 30v-6M21 30V19M28 30v-8M35 30v-3" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/></svg>`;

const style = `:root{color-scheme:light dark;--ink:#1b2330;--soft:#5b6675;--ground:#f6f7f9;--mark:#8b95a5}
@media (prefers-color-scheme:dark){:root{--ink:#e8ebf0;--soft:#a3adbb;--ground:#14181f;--mark:#6b7686}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:30rem;padding:2rem;text-align:center}svg{color:var(--mark)}h1,p{text-wrap:balance}h1{font-size:1.3rem;line-height:1.3;margin:1rem 0 .5rem}p{margin:0;color:var(--soft)}p.hint{margin-top:1rem;font-size:.85rem}small{display:block;margin-top:1.5rem;color:var(--soft)}`;

/** The page shown instead of a report, by reason. */
export const messagePage = (
  reason: keyof typeof messages,
  place: { readonly tenantName: string; readonly frameAncestors: string; readonly hint?: string },
): PortalReply => {
  const message = messages[reason];
  return htmlReply(
    message.status,
    `<!doctype html><html lang="en" data-portal-state="${reason}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(message.title)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main role="alert">${icon}<h1>${escapeHtml(message.title)}</h1><p>${escapeHtml(message.text)}</p>${place.hint === undefined ? '' : `<p class="hint"><b>For developers:</b> ${escapeHtml(place.hint)}</p>`}<small>${escapeHtml(place.tenantName)}</small></main></body></html>`,
    pageHeaders({ frameAncestors: place.frameAncestors, hasInlineStyle: true }),
  );
};
