/** The kinds of app to start from: folders under `examples`. The first is the default. */
export const starters = {
  'vite-express': 'React, Vite and Express',
  next: 'Next.js',
  'react-router': 'React Router',
  hono: 'React, Vite and Hono',
} as const;
