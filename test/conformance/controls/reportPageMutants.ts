import { isTo } from './breakages.ts';
import type { Mutant } from './mutant.ts';

/** Services whose report pages are wrong. */
export const reportPageMutants: readonly Mutant[] = [
  {
    name: 'opens any report with any key',
    noticedBy: ['4.7 a key opens the report it was made for'],
    breakage: {
      request: (request, { itemId, otherItemId }) => ({
        ...request,
        url: request.url.replace(`/report/${otherItemId}`, `/report/${itemId}`),
      }),
    },
  },
  {
    name: 'opens a key under the URL of another tenant',
    noticedBy: ['4.7 a key opens nothing under the address of another tenant'],
    breakage: {
      request: (request, { tenantUrl, secondTenant }) => ({
        ...request,
        url: request.url.replace(secondTenant?.tenantUrl ?? '', tenantUrl),
      }),
    },
  },
  {
    name: 'shows the report with any key',
    noticedBy: ['4.7 without a key, with a text that is not a key'],
    breakage: {
      answer: (answer, request) =>
        isTo(request, 'GET /report/*')
          ? { ...answer, status: 200, text: '<!doctype html><html>A report</html>' }
          : answer,
    },
  },
  {
    name: 'forbids framing',
    noticedBy: ['4.7 the address of tenant'],
    breakage: {
      answer: (answer) => ({ ...answer, headers: { ...answer.headers, 'x-frame-options': 'DENY' } }),
    },
  },
  {
    name: 'returns a report as text',
    noticedBy: ['4.7 the address of tenant'],
    breakage: { answer: (answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } }) },
  },
  {
    name: 'writes the passphrase into the page',
    noticedBy: ['4.7 the address of tenant'],
    breakage: {
      request: (request, { passPhrase }) => ({
        ...request,
        headers: { ...request.headers, 'x-broken': passPhrase },
      }),
      answer: (answer, request) => ({
        ...answer,
        text: `${answer.text}<!-- ${request.headers['x-broken']} -->`,
      }),
    },
  },
];
