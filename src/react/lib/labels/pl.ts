import type { Labels } from '../labels.ts';

const retrying = 'Ponowna próba w ciągu {seconds} s.';

/** Every text of the component in Polish. */
export const labels: Labels = {
  report: 'Raport',
  loading: 'Ładowanie raportu…',
  degraded: 'Nie odświeżono od {time}.',
  dismiss: 'Zamknij',
  retry: 'Spróbuj ponownie',
  signIn: 'Zaloguj się',
  fullscreen: 'Pełny ekran',
  exitFullscreen: 'Zamknij pełny ekran',
  reports: 'Raporty',
  noReports: 'Brak dostępnych raportów.',
  reportsFailed: 'Nie można załadować raportów',
  signed_out: { title: 'Wylogowano', description: 'Zaloguj się ponownie, aby zobaczyć ten raport.' },
  report_unavailable: {
    title: 'Ten raport jest niedostępny',
    description: 'Wyświetlenie tego raportu może wymagać uprawnień.',
  },
  rate_limited: { title: 'Zbyt wiele żądań', description: retrying },
  offline: { title: 'Brak połączenia z internetem', description: retrying },
  backend_unreachable: { title: 'Nie można załadować tego raportu', description: retrying },
  portal_unreachable: { title: 'Ten raport nie odpowiada', description: retrying },
  key_expired: { title: 'Sesja tego raportu wygasła', description: 'Spróbuj ponownie, aby kontynuować.' },
  frame_slow: { title: 'Trwa ładowanie…', description: 'Ten raport ładuje się dłużej niż zwykle.' },
  frame_blocked: {
    title: 'Nie można tu wyświetlić tego raportu',
    description: 'Skontaktuj się z administratorem.',
  },
  frame_denied: {
    title: 'Przeglądarka nie zezwala na ten raport',
    description: 'Zezwól tej witrynie na dostęp do sieci lokalnej i spróbuj ponownie.',
  },
  misconfigured: {
    title: 'Ten raport nie jest poprawnie skonfigurowany',
    description: 'Skontaktuj się z administratorem.',
  },
};
