import type { Labels } from '../labels.ts';

const retrying = 'Nova tentativa em até {seconds} segundos.';

/** Every text of the component in Brazilian Portuguese. */
export const labels: Labels = {
  report: 'Relatório',
  loading: 'Carregando o relatório…',
  degraded: 'Sem atualização desde {time}.',
  dismiss: 'Fechar',
  retry: 'Tentar novamente',
  signIn: 'Entrar',
  fullscreen: 'Tela cheia',
  exitFullscreen: 'Sair da tela cheia',
  reports: 'Relatórios',
  noReports: 'Não há relatórios disponíveis para você.',
  reportsFailed: 'Não foi possível carregar os relatórios',
  signed_out: { title: 'Você saiu da sua conta', description: 'Entre novamente para ver este relatório.' },
  report_unavailable: {
    title: 'Este relatório não está disponível',
    description: 'Talvez você precise de permissão para ver este relatório.',
  },
  rate_limited: { title: 'Muitas solicitações', description: retrying },
  offline: { title: 'Você está offline', description: retrying },
  backend_unreachable: { title: 'Não foi possível carregar este relatório', description: retrying },
  portal_unreachable: { title: 'Este relatório não está respondendo', description: retrying },
  key_expired: {
    title: 'Sua sessão para este relatório expirou',
    description: 'Tente novamente para continuar.',
  },
  frame_slow: { title: 'Ainda carregando…', description: 'Este relatório está demorando mais que o normal.' },
  frame_blocked: {
    title: 'Não é possível exibir este relatório aqui',
    description: 'Fale com o administrador.',
  },
  frame_denied: {
    title: 'Seu navegador não permite este relatório',
    description: 'Permita que este site acesse sua rede local e tente novamente.',
  },
  misconfigured: {
    title: 'Este relatório não está configurado corretamente',
    description: 'Fale com o administrador.',
  },
};
