import { isFields } from '../../../src/conformance/lib/readers.ts';
import type { Answer } from '../../../src/conformance/lib/send.ts';
import { isTo, made, withJson } from './breakages.ts';
import type { Breakage } from './startBrokenService.ts';

const ofAdministration = (change: (answer: Answer) => Answer): Breakage => ({
  answer: (answer, request) => (new URL(request.url).pathname.startsWith('/v1/') ? change(answer) : answer),
});

/** Services that follow the interface and make other choices wherever it is silent. */
export const otherChoices: readonly { readonly name: string; readonly breakage: Breakage }[] = [
  {
    name: 'bare lists with X-Total-Count, status 200 for every success, flat errors',
    breakage: ofAdministration((answer) => {
      const { json } = answer;
      if (answer.status >= 400) return withJson(answer, { code: 'refused', message: 'No.' });
      const done = { ...answer, status: 200 };
      if (!isFields(json) || !Array.isArray(json['items'])) return done;
      const headers = { ...answer.headers, 'x-total-count': String(json['totalCount']) };
      return { ...withJson(done, json['items']), headers };
    }),
  },
  {
    name: 'an envelope around everything and status 200 also for errors',
    breakage: ofAdministration((answer) => {
      const success = answer.status < 300;
      const error = success ? null : { code: answer.status, message: 'No.' };
      const headers = { 'content-type': 'application/json' };
      const json = { result: success ? (answer.json ?? null) : null, success, error, __abp: true };
      return { ...withJson(answer, json), status: 200, headers };
    }),
  },
  {
    name: 'another parent of the units at the top',
    breakage: {
      request: (request) =>
        isTo(request, 'POST /v1/organization-units') && request.body?.includes('"parentId":"root"')
          ? made(400, { code: 'refused', message: 'There is no unit root.' })
          : request,
    },
  },
];
