import type { Labels } from '../labels.ts';

const retrying = 'Neuer Versuch innerhalb von {seconds} Sekunden.';

/** Every text of the component in German. */
export const labels: Labels = {
  report: 'Bericht',
  loading: 'Bericht wird geladen …',
  degraded: 'Seit {time} nicht aktualisiert.',
  dismiss: 'Schließen',
  retry: 'Erneut versuchen',
  signIn: 'Anmelden',
  fullscreen: 'Vollbild',
  exitFullscreen: 'Vollbild beenden',
  reports: 'Berichte',
  noReports: 'Für Sie sind keine Berichte verfügbar.',
  reportsFailed: 'Die Berichte können nicht geladen werden',
  signed_out: {
    title: 'Sie sind abgemeldet',
    description: 'Melden Sie sich wieder an, um diesen Bericht zu sehen.',
  },
  report_unavailable: {
    title: 'Dieser Bericht ist nicht verfügbar',
    description: 'Möglicherweise fehlt Ihnen die Berechtigung für diesen Bericht.',
  },
  rate_limited: { title: 'Zu viele Anfragen', description: retrying },
  offline: { title: 'Sie sind offline', description: retrying },
  backend_unreachable: { title: 'Dieser Bericht kann nicht geladen werden', description: retrying },
  portal_unreachable: { title: 'Dieser Bericht antwortet nicht', description: retrying },
  key_expired: {
    title: 'Ihre Sitzung für diesen Bericht ist abgelaufen',
    description: 'Versuchen Sie es erneut, um fortzufahren.',
  },
  frame_slow: { title: 'Wird noch geladen …', description: 'Dieser Bericht braucht länger als sonst.' },
  frame_blocked: {
    title: 'Dieser Bericht kann hier nicht angezeigt werden',
    description: 'Wenden Sie sich an Ihren Administrator.',
  },
  frame_denied: {
    title: 'Ihr Browser lässt diesen Bericht nicht zu',
    description:
      'Erlauben Sie dieser Website den Zugriff auf Ihr lokales Netzwerk und versuchen Sie es erneut.',
  },
  misconfigured: {
    title: 'Dieser Bericht ist nicht richtig konfiguriert',
    description: 'Wenden Sie sich an Ihren Administrator.',
  },
};
