/** A kind of app to start from. */
export interface Starter {
  /** Its folder under `examples`, and its value of `--kind`. */
  readonly kind: string;
  readonly summary: string;
  /** Where its `npm run dev` shows the report. */
  readonly address: string;
}

/** The first is the default. */
export const starters: readonly [Starter, ...Starter[]] = [
  { kind: 'vite-express', summary: 'React, Vite and Express', address: 'http://localhost:5173/' },
  { kind: 'next', summary: 'Next.js', address: 'http://localhost:3000/' },
  { kind: 'react-router', summary: 'React Router', address: 'http://localhost:5173/' },
  { kind: 'hono', summary: 'React, Vite and Hono', address: 'http://localhost:5173/' },
];
