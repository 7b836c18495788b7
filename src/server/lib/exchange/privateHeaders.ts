/** Headers of every response: no storing, no sharing, no guessing of its type. */
export const privateHeaders = {
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Authorization, Origin, Sec-Fetch-Site',
  'X-Content-Type-Options': 'nosniff',
} as const;
