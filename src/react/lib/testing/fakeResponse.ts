import { problemMediaType } from '@vitrine/contract';

/** The part of a `Response` that the library reads. Test environments such as jsdom have no `Response`. */
export const fakeResponse = (status: number, body: object): Response => {
  const ok = status < 400;
  const isStream = 'pipeThrough' in body;
  const type = ok ? isStream && 'text/event-stream' : problemMediaType;
  // The library reads nothing else.
  return {
    ok,
    status,
    headers: { get: (name: string) => (name === 'content-type' && type) || null },
    body: isStream ? body : null,
    json: async () => body,
  } as unknown as Response;
};
