import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/about.tsx'),
  route('notes', 'routes/notes.tsx'),
  route('sales', 'routes/sales.tsx'),
  route('api/embed/:route', 'routes/embed.ts'),
] satisfies RouteConfig;
