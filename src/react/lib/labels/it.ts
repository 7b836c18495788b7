import type { Labels } from '../labels.ts';

const retrying = 'Nuovo tentativo entro {seconds} secondi.';

/** Every text of the component in Italian. */
export const labels: Labels = {
  report: 'Report',
  loading: 'Caricamento del report…',
  degraded: 'Non aggiornato dalle {time}.',
  dismiss: 'Chiudi',
  retry: 'Riprova',
  signIn: 'Accedi',
  fullscreen: 'Schermo intero',
  exitFullscreen: 'Esci da schermo intero',
  reports: 'Report',
  noReports: 'Non ci sono report disponibili per te.',
  reportsFailed: 'Impossibile caricare i report',
  signed_out: { title: 'La sessione è terminata', description: 'Accedi di nuovo per vedere questo report.' },
  report_unavailable: {
    title: 'Questo report non è disponibile',
    description: 'Potrebbe servirti un’autorizzazione per vedere questo report.',
  },
  rate_limited: { title: 'Troppe richieste', description: retrying },
  offline: { title: 'Sei offline', description: retrying },
  backend_unreachable: { title: 'Impossibile caricare questo report', description: retrying },
  portal_unreachable: { title: 'Questo report non risponde', description: retrying },
  key_expired: {
    title: 'La tua sessione per questo report è scaduta',
    description: 'Riprova per continuare.',
  },
  frame_slow: {
    title: 'Ancora in caricamento…',
    description: 'Questo report richiede più tempo del solito.',
  },
  frame_blocked: {
    title: 'Questo report non può essere visualizzato qui',
    description: 'Contatta l’amministratore.',
  },
  frame_denied: {
    title: 'Il browser non consente questo report',
    description: 'Consenti a questo sito di accedere alla rete locale, poi riprova.',
  },
  misconfigured: {
    title: 'Questo report non è configurato correttamente',
    description: 'Contatta l’amministratore.',
  },
};
