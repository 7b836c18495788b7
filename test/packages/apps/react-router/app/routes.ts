import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/sales.tsx'),
  route('about', 'routes/about.tsx'),
  route('api/embed/:route', 'routes/embed.ts'),
] satisfies RouteConfig;
