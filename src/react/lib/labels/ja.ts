import type { Labels } from '../labels.ts';

const retrying = '{seconds} 秒以内に再試行します。';

/** Every text of the component in Japanese. */
export const labels: Labels = {
  report: 'レポート',
  loading: 'レポートを読み込んでいます…',
  degraded: '{time} から更新されていません。',
  dismiss: '閉じる',
  retry: '再試行',
  signIn: 'サインイン',
  fullscreen: '全画面表示',
  exitFullscreen: '全画面表示を終了',
  reports: 'レポート',
  noReports: '閲覧できるレポートはありません。',
  reportsFailed: 'レポートを読み込めません',
  signed_out: {
    title: 'サインアウトしています',
    description: 'このレポートを表示するには、もう一度サインインしてください。',
  },
  report_unavailable: {
    title: 'このレポートは利用できません',
    description: 'このレポートを表示するには権限が必要な場合があります。',
  },
  rate_limited: { title: 'リクエストが多すぎます', description: retrying },
  offline: { title: 'オフラインです', description: retrying },
  backend_unreachable: { title: 'このレポートを読み込めません', description: retrying },
  portal_unreachable: { title: 'このレポートは応答していません', description: retrying },
  key_expired: {
    title: 'このレポートのセッションの有効期限が切れました',
    description: '続けるには、再試行してください。',
  },
  frame_slow: {
    title: '読み込み中です…',
    description: 'このレポートの読み込みに通常より時間がかかっています。',
  },
  frame_blocked: {
    title: 'ここではこのレポートを表示できません',
    description: '管理者に問い合わせてください。',
  },
  frame_denied: {
    title: 'ブラウザーがこのレポートを許可していません',
    description: 'このサイトにローカル ネットワークへのアクセスを許可して、もう一度お試しください。',
  },
  misconfigured: {
    title: 'このレポートは正しく構成されていません',
    description: '管理者に問い合わせてください。',
  },
};
