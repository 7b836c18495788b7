import { index, type RouteConfig, route as vitrineRoute } from '@react-router/dev/routes';

export default [
  vitrineRoute('api/embed/:route', 'routes/embed.ts'),
  vitrineRoute('vitrine', 'routes/vitrine.tsx'),
  index('routes/home.tsx'),
] satisfies RouteConfig;
