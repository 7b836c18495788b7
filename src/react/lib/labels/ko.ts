import type { Labels } from '../labels.ts';

const retrying = '{seconds}초 이내에 다시 시도합니다.';

/** Every text of the component in Korean. */
export const labels: Labels = {
  report: '보고서',
  loading: '보고서를 불러오는 중…',
  degraded: '{time} 이후 새로 고쳐지지 않았습니다.',
  dismiss: '닫기',
  retry: '다시 시도',
  signIn: '로그인',
  fullscreen: '전체 화면',
  exitFullscreen: '전체 화면 종료',
  reports: '보고서',
  noReports: '볼 수 있는 보고서가 없습니다.',
  reportsFailed: '보고서를 불러올 수 없습니다',
  signed_out: { title: '로그아웃되었습니다', description: '이 보고서를 보려면 다시 로그인하세요.' },
  report_unavailable: {
    title: '이 보고서를 사용할 수 없습니다',
    description: '이 보고서를 보려면 권한이 필요할 수 있습니다.',
  },
  rate_limited: { title: '요청이 너무 많습니다', description: retrying },
  offline: { title: '오프라인 상태입니다', description: retrying },
  backend_unreachable: { title: '이 보고서를 불러올 수 없습니다', description: retrying },
  portal_unreachable: { title: '이 보고서가 응답하지 않습니다', description: retrying },
  key_expired: { title: '이 보고서의 세션이 만료되었습니다', description: '계속하려면 다시 시도하세요.' },
  frame_slow: {
    title: '아직 불러오는 중…',
    description: '이 보고서를 불러오는 데 평소보다 오래 걸리고 있습니다.',
  },
  frame_blocked: {
    title: '여기에서는 이 보고서를 표시할 수 없습니다',
    description: '관리자에게 문의하세요.',
  },
  frame_denied: {
    title: '브라우저에서 이 보고서를 허용하지 않습니다',
    description: '이 사이트가 로컬 네트워크에 액세스하도록 허용한 다음 다시 시도하세요.',
  },
  misconfigured: { title: '이 보고서가 올바르게 구성되지 않았습니다', description: '관리자에게 문의하세요.' },
};
