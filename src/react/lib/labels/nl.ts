import type { Labels } from '../labels.ts';

const retrying = 'Nieuwe poging binnen {seconds} seconden.';

/** Every text of the component in Dutch. */
export const labels: Labels = {
  report: 'Rapport',
  loading: 'Rapport wordt geladen…',
  degraded: 'Niet vernieuwd sinds {time}.',
  dismiss: 'Sluiten',
  retry: 'Opnieuw proberen',
  signIn: 'Aanmelden',
  fullscreen: 'Volledig scherm',
  exitFullscreen: 'Volledig scherm sluiten',
  reports: 'Rapporten',
  noReports: 'Er zijn geen rapporten voor u beschikbaar.',
  reportsFailed: 'De rapporten kunnen niet worden geladen',
  signed_out: { title: 'U bent afgemeld', description: 'Meld u opnieuw aan om dit rapport te zien.' },
  report_unavailable: {
    title: 'Dit rapport is niet beschikbaar',
    description: 'Mogelijk hebt u toestemming nodig om dit rapport te zien.',
  },
  rate_limited: { title: 'Te veel aanvragen', description: retrying },
  offline: { title: 'U bent offline', description: retrying },
  backend_unreachable: { title: 'Dit rapport kan niet worden geladen', description: retrying },
  portal_unreachable: { title: 'Dit rapport reageert niet', description: retrying },
  key_expired: {
    title: 'Uw sessie voor dit rapport is verlopen',
    description: 'Probeer het opnieuw om verder te gaan.',
  },
  frame_slow: { title: 'Nog aan het laden…', description: 'Dit rapport duurt langer dan gewoonlijk.' },
  frame_blocked: {
    title: 'Dit rapport kan hier niet worden weergegeven',
    description: 'Neem contact op met uw beheerder.',
  },
  frame_denied: {
    title: 'Uw browser staat dit rapport niet toe',
    description: 'Geef deze site toegang tot uw lokale netwerk en probeer het opnieuw.',
  },
  misconfigured: {
    title: 'Dit rapport is niet juist ingesteld',
    description: 'Neem contact op met uw beheerder.',
  },
};
