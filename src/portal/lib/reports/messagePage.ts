import { htmlReply, type PortalReply, pagePolicy } from '../http/portalReply.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML text and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const again = 'Open the report again from its application.';

const messages = {
  missing: [
    403,
    'This report needs a key',
    'The address contains no key. Open the report from its application.',
  ],
  tampered: [403, 'This key is not valid', `The key was changed, or was not issued by this portal. ${again}`],
  foreign: [
    403,
    'This key belongs to another organization',
    `The key was issued for another tenant. ${again}`,
  ],
  unknown: [
    404,
    'This report does not exist',
    'There is no report with this ID in this tenant. It may have been removed.',
  ],
  'other-report': [403, 'This key is for another report', `The key was issued for another report. ${again}`],
  expired: [403, 'Your access to this report has ended', `The key has expired. ${again}`],
  revoked: [403, 'Your access to this report was withdrawn', `The key was revoked. ${again}`],
  home: [200, 'Reports open in their application', 'Only embedded reports are available at this address.'],
  'nothing-here': [404, 'Page not found', 'Only embedded reports are available at this address.'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string, text: string]>>;

/** Why a report does not open. */
export type RefusalReason = Exclude<keyof typeof messages, 'home' | 'nothing-here'>;

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
  const [status, title, text] = messages[reason];
  return htmlReply(
    status,
    `<!doctype html><html lang="en" data-portal-state="${reason}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main role="alert">${icon}<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${place.hint === undefined ? '' : `<p class="hint"><b>For developers:</b> ${escapeHtml(place.hint)}</p>`}<small>${escapeHtml(place.tenantName)}</small></main></body></html>`,
    pagePolicy({ 'frame-ancestors': place.frameAncestors }),
  );
};
