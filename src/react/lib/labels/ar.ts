import type { Labels } from '../labels.ts';

const retrying = 'ستُعاد المحاولة خلال {seconds} ثانية.';

/** Every text of the component in Arabic. */
export const labels: Labels = {
  report: 'تقرير',
  loading: 'جارٍ تحميل التقرير…',
  degraded: 'لم يتم التحديث منذ {time}.',
  dismiss: 'إغلاق',
  retry: 'إعادة المحاولة',
  signIn: 'تسجيل الدخول',
  fullscreen: 'ملء الشاشة',
  exitFullscreen: 'إنهاء ملء الشاشة',
  reports: 'التقارير',
  noReports: 'لا توجد تقارير متاحة لك.',
  reportsFailed: 'يتعذّر تحميل التقارير',
  signed_out: { title: 'تم تسجيل خروجك', description: 'سجّل الدخول مرة أخرى لعرض هذا التقرير.' },
  report_unavailable: { title: 'هذا التقرير غير متاح', description: 'قد تحتاج إلى إذن لعرض هذا التقرير.' },
  rate_limited: { title: 'طلبات كثيرة جدًا', description: retrying },
  offline: { title: 'أنت غير متصل بالإنترنت', description: retrying },
  backend_unreachable: { title: 'يتعذّر تحميل هذا التقرير', description: retrying },
  portal_unreachable: { title: 'هذا التقرير لا يستجيب', description: retrying },
  key_expired: { title: 'انتهت صلاحية جلستك لهذا التقرير', description: 'أعد المحاولة للمتابعة.' },
  frame_slow: { title: 'لا يزال التحميل جاريًا…', description: 'يستغرق هذا التقرير وقتًا أطول من المعتاد.' },
  frame_blocked: { title: 'لا يمكن عرض هذا التقرير هنا', description: 'تواصل مع المسؤول.' },
  frame_denied: {
    title: 'لا يسمح متصفحك بهذا التقرير',
    description: 'اسمح لهذا الموقع بالوصول إلى شبكتك المحلية، ثم أعد المحاولة.',
  },
  misconfigured: { title: 'لم يتم إعداد هذا التقرير بشكل صحيح', description: 'تواصل مع المسؤول.' },
};
