import type { Labels } from '../labels.ts';

const retrying = 'Se volverá a intentar en {seconds} segundos como máximo.';

/** Every text of the component in Spanish. */
export const labels: Labels = {
  report: 'Informe',
  loading: 'Cargando el informe…',
  degraded: 'Sin actualizar desde las {time}.',
  dismiss: 'Cerrar',
  retry: 'Reintentar',
  signIn: 'Iniciar sesión',
  fullscreen: 'Pantalla completa',
  exitFullscreen: 'Salir de pantalla completa',
  reports: 'Informes',
  noReports: 'No hay informes disponibles para usted.',
  reportsFailed: 'No se pueden cargar los informes',
  signed_out: {
    title: 'Ha cerrado la sesión',
    description: 'Vuelva a iniciar sesión para ver este informe.',
  },
  report_unavailable: {
    title: 'Este informe no está disponible',
    description: 'Es posible que necesite permiso para ver este informe.',
  },
  rate_limited: { title: 'Demasiadas solicitudes', description: retrying },
  offline: { title: 'No tiene conexión', description: retrying },
  backend_unreachable: { title: 'No se puede cargar este informe', description: retrying },
  portal_unreachable: { title: 'Este informe no responde', description: retrying },
  key_expired: {
    title: 'Su sesión para este informe ha caducado',
    description: 'Vuelva a intentarlo para continuar.',
  },
  frame_slow: { title: 'Cargando todavía…', description: 'Este informe tarda más de lo habitual.' },
  frame_blocked: {
    title: 'Este informe no se puede mostrar aquí',
    description: 'Póngase en contacto con su administrador.',
  },
  frame_denied: {
    title: 'Su navegador no permite este informe',
    description: 'Permita que este sitio acceda a su red local y vuelva a intentarlo.',
  },
  misconfigured: {
    title: 'Este informe no está configurado correctamente',
    description: 'Póngase en contacto con su administrador.',
  },
};
