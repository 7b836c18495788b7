import type { Labels } from '../labels.ts';

const retrying = 'Nouvelle tentative dans les {seconds} secondes.';

/** Every text of the component in French. */
export const labels: Labels = {
  report: 'Rapport',
  loading: 'Chargement du rapport…',
  degraded: 'Non actualisé depuis {time}.',
  dismiss: 'Fermer',
  retry: 'Réessayer',
  signIn: 'Se connecter',
  fullscreen: 'Plein écran',
  exitFullscreen: 'Quitter le plein écran',
  reports: 'Rapports',
  noReports: 'Aucun rapport n’est disponible pour vous.',
  reportsFailed: 'Impossible de charger les rapports',
  signed_out: { title: 'Vous êtes déconnecté', description: 'Reconnectez-vous pour voir ce rapport.' },
  report_unavailable: {
    title: 'Ce rapport n’est pas disponible',
    description: 'Il vous faut peut-être une autorisation pour voir ce rapport.',
  },
  rate_limited: { title: 'Trop de demandes', description: retrying },
  offline: { title: 'Vous êtes hors ligne', description: retrying },
  backend_unreachable: { title: 'Impossible de charger ce rapport', description: retrying },
  portal_unreachable: { title: 'Ce rapport ne répond pas', description: retrying },
  key_expired: { title: 'Votre session pour ce rapport a expiré', description: 'Réessayez pour continuer.' },
  frame_slow: {
    title: 'Chargement en cours…',
    description: 'Ce rapport prend plus de temps que d’habitude.',
  },
  frame_blocked: {
    title: 'Ce rapport ne peut pas être affiché ici',
    description: 'Contactez votre administrateur.',
  },
  frame_denied: {
    title: 'Votre navigateur n’autorise pas ce rapport',
    description: 'Autorisez ce site à accéder à votre réseau local, puis réessayez.',
  },
  misconfigured: {
    title: 'Ce rapport n’est pas configuré correctement',
    description: 'Contactez votre administrateur.',
  },
};
