/** Headers of every answer: nothing of it may be stored or shared, and the browser must not guess its type. */
export const privateHeaders = {
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Authorization, Origin, Sec-Fetch-Site',
  'X-Content-Type-Options': 'nosniff',
} as const;
