import type { Labels } from '../labels.ts';

const retrying = '将在 {seconds} 秒内重试。';

/** Every text of the component in Simplified Chinese. */
export const labels: Labels = {
  report: '报表',
  loading: '正在加载报表…',
  degraded: '自 {time} 起未刷新。',
  dismiss: '关闭',
  retry: '重试',
  signIn: '登录',
  fullscreen: '全屏',
  exitFullscreen: '退出全屏',
  reports: '报表',
  noReports: '没有可供您查看的报表。',
  reportsFailed: '无法加载报表',
  signed_out: { title: '您已退出登录', description: '请重新登录以查看此报表。' },
  report_unavailable: { title: '此报表不可用', description: '您可能需要权限才能查看此报表。' },
  rate_limited: { title: '请求过多', description: retrying },
  offline: { title: '您处于离线状态', description: retrying },
  backend_unreachable: { title: '无法加载此报表', description: retrying },
  portal_unreachable: { title: '此报表没有响应', description: retrying },
  key_expired: { title: '此报表的会话已过期', description: '请重试以继续。' },
  frame_slow: { title: '仍在加载…', description: '此报表的加载时间比平时长。' },
  frame_blocked: { title: '无法在此处显示此报表', description: '请与管理员联系。' },
  frame_denied: { title: '浏览器不允许显示此报表', description: '请允许此网站访问您的本地网络，然后重试。' },
  misconfigured: { title: '此报表未正确配置', description: '请与管理员联系。' },
};
