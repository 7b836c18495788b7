import { describe } from 'vitest';
import { isFields } from '../../../src/conformance/lib/readers.ts';
import { fillAuditLog } from '../support/sharedPortal.ts';
import { changing, ignoring, isTo, withJson } from './breakages.ts';
import { detectsServicesThat } from './detects.ts';

const audit = 'GET /v1/audit-logs';

describe('the checks detect an audit log that', () => {
  detectsServicesThat(
    [
      {
        name: 'ignores the maximum page size',
        noticedBy: ['8 a page of the audit log'],
        breakage: {
          request: (request) => {
            const url = new URL(request.url);
            if (!isTo(request, audit) || Number(url.searchParams.get('pageSize')) <= 200) return request;
            url.searchParams.set('pageSize', '200');
            return { ...request, url: url.href, headers: { ...request.headers, 'x-broken': 'uncapped' } };
          },
          answer: async (answer, request, ask) => {
            if (request.headers['x-broken'] === undefined || !isFields(answer.json)) return answer;
            const next = await ask({ ...request, url: `${request.url}&page=2` });
            const more = isFields(next.json) ? (next.json['items'] as unknown[]) : [];
            return withJson(answer, {
              ...answer.json,
              items: [...(answer.json['items'] as unknown[]), ...more],
            });
          },
        },
      },
      {
        name: 'returns pages of 20 by default',
        noticedBy: ['8 a page of the audit log'],
        breakage: {
          request: (request) => {
            const url = new URL(request.url);
            if (!isTo(request, audit) || url.searchParams.has('pageSize')) return request;
            url.searchParams.set('pageSize', '20');
            return { ...request, url: url.href };
          },
        },
      },
      ...['userId', 'actionType', 'dateRange'].map((name) => ({
        name: `ignores ${name}`,
        noticedBy: [`4.5 ${name} ${name === 'dateRange' ? 'in ISO 8601 form' : 'keeps only'}`],
        breakage: ignoring(audit, name),
      })),
      {
        name: 'ignores page',
        noticedBy: ['4.5 GET /v1/audit-logs returns'],
        breakage: ignoring(audit, 'page'),
      },
      {
        name: 'ignores pageSize',
        noticedBy: ['4.5 GET /v1/audit-logs returns', '8 a page of the audit log'],
        breakage: ignoring(audit, 'pageSize'),
      },
      {
        name: 'records no created user',
        noticedBy: ['6.2 creating a user'],
        breakage: changing(audit, (body) => ({ ...body, totalCount: 7 })),
      },
    ],
    fillAuditLog,
  );
});
