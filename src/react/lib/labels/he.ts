import type { Labels } from '../labels.ts';

const retrying = 'ניסיון נוסף יתבצע בתוך {seconds} שניות.';

/** Every text of the component in Hebrew. */
export const labels: Labels = {
  report: 'דוח',
  loading: 'הדוח נטען…',
  degraded: 'לא רוענן מאז {time}.',
  dismiss: 'סגירה',
  retry: 'נסו שוב',
  signIn: 'התחברות',
  fullscreen: 'מסך מלא',
  exitFullscreen: 'יציאה ממסך מלא',
  reports: 'דוחות',
  noReports: 'אין דוחות זמינים עבורכם.',
  reportsFailed: 'לא ניתן לטעון את הדוחות',
  signed_out: { title: 'החיבור שלכם נותק', description: 'התחברו שוב כדי לראות את הדוח.' },
  report_unavailable: { title: 'הדוח אינו זמין', description: 'ייתכן שנדרשת הרשאה כדי לצפות בדוח.' },
  rate_limited: { title: 'יותר מדי בקשות', description: retrying },
  offline: { title: 'אתם במצב לא מקוון', description: retrying },
  backend_unreachable: { title: 'לא ניתן לטעון את הדוח', description: retrying },
  portal_unreachable: { title: 'הדוח אינו מגיב', description: retrying },
  key_expired: { title: 'תוקף ההפעלה של הדוח פג', description: 'נסו שוב כדי להמשיך.' },
  frame_slow: { title: 'עדיין בטעינה…', description: 'טעינת הדוח נמשכת זמן רב מהרגיל.' },
  frame_blocked: { title: 'לא ניתן להציג את הדוח כאן', description: 'פנו למנהל המערכת.' },
  frame_denied: {
    title: 'הדפדפן לא מאפשר את הדוח הזה',
    description: 'אפשרו לאתר הזה גישה לרשת המקומית ונסו שוב.',
  },
  misconfigured: { title: 'הדוח אינו מוגדר כראוי', description: 'פנו למנהל המערכת.' },
};
